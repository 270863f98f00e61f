// The one address of the page, which all its components share, and the links to its tabs.
import { createAddress } from "./address.js";

export const address = createAddress(JSON.parse(document.getElementById("zs-catalog").textContent));

document.addEventListener("submit", (event) => event.preventDefault()); // the scripts follow each change
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-tab]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  address.move({ tab: link.dataset.tab });
});
