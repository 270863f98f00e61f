// The one address of the page, which all its parts share.
import { createAddress } from "./address.js";

export const address = createAddress(JSON.parse(document.getElementById("zs-catalog").textContent));
