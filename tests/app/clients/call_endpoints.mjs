// Calls endpoints with @gradio/client: `node call_endpoints.mjs ADDRESS < calls.json > results.json`.
// A call is [endpoint, values], the values a list or an object; {"file": path} stands for an upload.
import { File } from "node:buffer";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { Client } from "@gradio/client";

const given = (_, value) =>
  typeof value?.file === "string" ? new File([readFileSync(value.file)], basename(value.file)) : value;

const client = await Client.connect(process.argv[2]);
const calls = JSON.parse(readFileSync(0, "utf8"), given);
const results = await Promise.all(calls.map(([endpoint, values]) => client.predict(endpoint, values)));
client.close();
console.log(JSON.stringify(results.map(({ data }) => data[0])));
