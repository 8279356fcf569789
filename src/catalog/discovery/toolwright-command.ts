import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { realPath } from "../../platform/files/real-path.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { expandHome } from "../../settings/defaults.ts";
import { readPlainJson } from "./read-config-file.ts";

/** The base of relative paths in a command line. */
interface CommandBase {
  readonly folder: string;
  readonly home: string;
}

/**
 * Whether a command line starts the MCP server of Toolwright: through npx, by the program on PATH or in `node_modules/.bin`,
 * or by the script of any copy of Toolwright, in a folder of any name.
 */
export function startsToolwrightServer(words: readonly string[], base: CommandBase): boolean {
  const all = words.flatMap((word, at) => (isForShell(words, at) ? word.trim().split(/\s+/) : [word]));
  return all.some((word, at) => all[at + 1] === "mcp" && isOurProgram(word, base));
}

/** Whether the word is a command line for a shell, as in `sh -c WORD`. */
function isForShell(words: readonly string[], at: number): boolean {
  return /^(?:-l?i?c|\/c)$/i.test(words[at - 1] ?? "");
}

function isOurProgram(word: string, base: CommandBase): boolean {
  // The name of the package, or of the program on PATH.
  if (/^toolwright(?:@[^\\/]*|\.(?:cmd|exe|bat|ps1))?$/i.test(word)) return true;
  if (!/[\\/]/.test(word) || /^@[^\\/]+[\\/][^\\/]+$/.test(word)) return false;
  const file = realPath(resolve(base.folder, expandHome(word, base.home)));
  if (file !== undefined && isScript(file)) return isOurScript(file);
  return OUR_PROGRAM.test(word) || OUR_SCRIPT.test(word);
}

const OUR_PROGRAM = /[\\/]toolwright(?:\.(?:cmd|exe|bat|ps1))?$/i;
/** Not in a package of a scope, such as `@user/toolwright`. */
const OUR_SCRIPT =
  /(?:^|[\\/])(?<!@[^\\/]+[\\/])toolwright[\\/](?:dist[\\/]cli\.mjs|src[\\/]surfaces[\\/]cli[\\/]main\.ts)$/;

function isScript(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file);
}

/** Reads the package.json of the script to find out whether it is Toolwright's. */
function isOurScript(file: string): boolean {
  const root = packageOf(dirname(file));
  if (root === undefined) return false;
  const manifest = readPlainJson(join(root, "package.json"));
  const isPackage = isObject(manifest) && manifest.name === "toolwright";
  return isPackage && ["dist/cli.mjs", "src/surfaces/cli/main.ts"].some((each) => join(root, each) === file);
}

function packageOf(folder: string): string | undefined {
  if (existsSync(join(folder, "package.json"))) return folder;
  const parent = dirname(folder);
  return parent === folder || basename(folder) === "node_modules" ? undefined : packageOf(parent);
}
