import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

type Package = "bun" | "frameworks" | "node-22";

const E2E = fileURLToPath(new URL("../../e2e", import.meta.url));

/** Where the packages are that only tests need. */
export const MODULES: Readonly<Record<Package, string>> = {
  bun: join(E2E, "bun/node_modules"),
  frameworks: join(E2E, "frameworks/node_modules"),
  "node-22": join(E2E, "node-22/node_modules"),
};

/** Some bring programs for which a script must run; the others do without. */
const ARGUMENTS: Readonly<Record<Package, readonly string[]>> = {
  bun: [],
  frameworks: ["--omit=optional", "--ignore-scripts"],
  "node-22": [],
};

/** Installs what only tests need when they come to it. Answers with the reason where that cannot be done. */
export function installed(name: Package): string | undefined {
  if (existsSync(join(MODULES[name], ".package-lock.json"))) return undefined;
  try {
    const args = ["ci", "--no-audit", "--no-fund", ...ARGUMENTS[name]];
    execFileSync("npm", args, { cwd: join(E2E, name), stdio: "pipe" });
    return undefined;
  } catch (error) {
    return `e2e/${name} could not be installed: ${error}`;
  }
}
