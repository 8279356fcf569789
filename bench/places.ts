import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package. */
export const PACKAGE: string = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");
export const RESULTS: string = join(PACKAGE, "bench", "results");

const BUILT = { cli: "dist/cli.mjs", library: "dist/index.mjs", agents: "dist/agents.mjs" } as const;

/** The path of a built file. Throws if the package is not built. */
export function built(name: keyof typeof BUILT): string {
  const file = join(PACKAGE, BUILT[name]);
  if (!existsSync(file)) throw new Error(`${BUILT[name]} does not exist. Run: npm run build`);
  return file;
}

/** The path of a program that a case starts. */
export function program(name: string): string {
  return fileURLToPath(new URL(`./programs/${name}`, import.meta.url));
}

/** The whole environment of a measured process. NODE_OPTIONS, NODE_EXTRA_CA_CERTS and similar would change the result. */
export function cleanEnvironment(folder: string): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: join(folder, "home"),
    TOOLWRIGHT_HOME: join(folder, "toolwright"),
    TMPDIR: folder,
  };
}

/** Throws if a measured process opened the session database: only commands with a session may. */
export function checkNoSessions(env: Readonly<Record<string, string>>): void {
  if (existsSync(join(env.TOOLWRIGHT_HOME ?? "", "sessions.db"))) throw new Error("The session database was opened.");
}
