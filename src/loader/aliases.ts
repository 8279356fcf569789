import { packageFile } from "../files/package-files.ts";

/** Names under which tool files import `tool()`. */
const AUTHOR_DOOR = new Set(["toolwright", "@atomic/plugin", "@opencode-ai/plugin", "@opencode-ai/plugin/tool"]);

/** Packages that a tool file may import with nothing installed: they come with this one. */
const BUNDLED = ["zod", "typebox", "@sinclair/typebox", "@oxc-project/runtime"];

/** The schema libraries that oh-my-pi offers under names of its own. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["@oh-my-pi/omptype/zod", "zod"],
  ["@oh-my-pi/omptype/typebox", "@sinclair/typebox"],
]);

/** The packages of pi and of oh-my-pi. Others of these scopes are somebody's libraries, and have to be installed. */
const PI = /^@(oh-my-pi|mariozechner|earendil-works)\/(pi-[\w-]+)(?:\/|$)/;

/** Whether a name is that of such a package, or of a part of one. */
export function isPi(specifier: string): boolean {
  return PI.test(specifier);
}

/**
 * What an import means when the file's own folder does not have it: a file of ours, or a name to resolve from our
 * own package. Undefined for every other name.
 */
export function aliasOf(specifier: string): { file: string } | { bundled: string } | undefined {
  if (AUTHOR_DOOR.has(specifier)) return { file: packageFile("index") };
  if (BUNDLED.some((name) => specifier === name || specifier.startsWith(`${name}/`))) return { bundled: specifier };
  const renamed = RENAMED.get(specifier);
  if (renamed !== undefined) return { bundled: renamed };
  const pi = PI.exec(specifier);
  return pi ? { file: packageFile(hasComponents(pi) ? "pi" : "pi-values") } : undefined;
}

/** Components cost as much to load as a schema library. Of oh-my-pi, also the main package has them. */
function hasComponents([, scope, name]: RegExpExecArray): boolean {
  return name === "pi-tui" || (scope === "oh-my-pi" && name === "pi-coding-agent");
}
