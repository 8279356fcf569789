import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package. */
export const PACKAGE: string = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");
export const RESULTS: string = join(PACKAGE, "bench", "results");

const BUILT = { cli: "dist/cli.mjs", library: "dist/index.mjs" } as const;

/** A file of the built package. Throws where there is none, and says how to make it. */
export function built(name: keyof typeof BUILT): string {
  const file = join(PACKAGE, BUILT[name]);
  if (!existsSync(file)) throw new Error(`${BUILT[name]} is not there. Run: npm run build`);
  return file;
}

/** A program that a case runs in a process of its own. */
export function program(name: string): string {
  return fileURLToPath(new URL(`./programs/${name}`, import.meta.url));
}

/**
 * All that a measured process finds in its environment. What a developer's shell may hold besides (NODE_OPTIONS,
 * NODE_EXTRA_CA_CERTS) would be measured as well.
 */
export function cleanEnvironment(folder: string): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: join(folder, "home"),
    TOOLWRIGHT_HOME: join(folder, "toolwright"),
    TMPDIR: folder,
  };
}
