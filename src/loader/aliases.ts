import { packageFile } from "../files/package-files.ts";

/** The names under which tool files may import this package. */
const OWN_NAMES = new Set(["toolwright", "@atomic/plugin", "@opencode-ai/plugin", "@opencode-ai/plugin/tool"]);

/** Packages that tool files can import without installing them: they come with this package. */
const BUNDLED = ["zod", "typebox", "@sinclair/typebox", "@oxc-project/runtime"];

/** oh-my-pi's names for schema libraries. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["@oh-my-pi/omptype/zod", "zod"],
  ["@oh-my-pi/omptype/typebox", "@sinclair/typebox"],
]);

/** The packages of pi and oh-my-pi. Other packages of these scopes must be installed. */
const PI = /^@(oh-my-pi|mariozechner|earendil-works)\/(pi-[\w-]+)(?:\/|$)/;

/** Whether a specifier names a package of pi, or a file in one. */
export function isPi(specifier: string): boolean {
  return PI.test(specifier);
}

/**
 * The target of an import that is not installed near the file: a file of this package, or a package to resolve from this
 * one. Undefined for other names.
 */
export function aliasOf(specifier: string): { file: string } | { bundled: string } | undefined {
  if (OWN_NAMES.has(specifier)) return { file: packageFile("index") };
  if (BUNDLED.some((name) => specifier === name || specifier.startsWith(`${name}/`))) return { bundled: specifier };
  const renamed = RENAMED.get(specifier);
  if (renamed !== undefined) return { bundled: renamed };
  const pi = PI.exec(specifier);
  return pi ? { file: packageFile(hasComponents(pi) ? "pi" : "pi-values") } : undefined;
}

/** Whether a package exports UI components, which take long to load. In oh-my-pi, the main package does too. */
function hasComponents([, scope, name]: RegExpExecArray): boolean {
  return name === "pi-tui" || (scope === "oh-my-pi" && name === "pi-coding-agent");
}
