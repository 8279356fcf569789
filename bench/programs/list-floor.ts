/** `list-floor.ts FOLDER LIST`: stats every file below a folder, parses a list and prints it: what a cached list cannot avoid. */
import { readdirSync, readFileSync, statSync } from "node:fs";

const [folder = "", list = ""] = process.argv.slice(2);
statAll(folder);
process.stdout.write(`${JSON.stringify(JSON.parse(readFileSync(list, "utf8")), null, 2)}\n`);

function statAll(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) statAll(`${path}/${entry.name}`);
    else statSync(`${path}/${entry.name}`);
  }
}
