import { packageFile } from "../../platform/files/package-files.ts";
import { misspelled } from "../../platform/text/nearest.ts";

/** The names under which tool files may import this package. */
const OWN_NAMES = new Set(["toolwright", "@atomic/plugin"]);

/** The built-in tools as values. */
const BUILTINS = "toolwright/builtins";

/** The packages for tools and plugins of OpenCode 1 and 2, and of its fork Kilo. The terminal interface is not among them. */
const OPENCODE = /^@(?:opencode(?:-ai)?|kilocode)\/plugin(?:\/(?:tool|(?:v2|promise|effect)(?:\/[\w/-]+)?))?$/;

/** Packages that tool files can import without installing them: they come with this package. */
const BUNDLED = ["zod", "typebox", "@sinclair/typebox", "@modelcontextprotocol/server", "@oxc-project/runtime"];

/** The packages of pi and oh-my-pi that tool files import. Newer versions may have more. */
const PI_PACKAGES = ["pi-coding-agent", "pi-ai", "pi-tui", "pi-agent-core", "pi-utils", "pi-natives", "pi-web-ui"];

/** The names of oh-my-pi and OpenClaw for schema libraries. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["@oh-my-pi/omptype/zod", "zod"],
  ["@oh-my-pi/omptype/typebox", "@sinclair/typebox"],
  ["openclaw/plugin-sdk/zod", "zod"],
]);

/** The packages of pi and oh-my-pi. Other packages of these scopes must be installed. */
const PI = /^@(oh-my-pi|mariozechner|earendil-works)\/(pi-[\w-]+)(?:\/|$)/;

/** Atomic is made from pi. */
const ATOMIC = /^@bastani\/atomic(?:\/|$)/;

/** Whether a specifier names a package of pi or Atomic, or a file in one. */
function isPi(specifier: string): boolean {
  return PI.test(specifier) || ATOMIC.test(specifier);
}

/** The SDK of Copilot. What extensions of Copilot CLI import works only in Copilot CLI, so ours takes precedence. */
const COPILOT = "@github/copilot-sdk";
const COPILOT_EXTENSION = `${COPILOT}/extension`;

/** What custom tools of Roo Code import. */
const ROO = "@roo-code/types";

/** xmcp, and its module that works only in a request of its HTTP server. */
const XMCP = "xmcp";
const XMCP_HEADERS = `${XMCP}/headers`;

/** The SDK for plugins of OpenClaw, under each name that OpenClaw has had. Its subpaths export parts of one whole. */
const OPENCLAW = /^(?:openclaw|moltbot|clawdbot)(?:\/plugin-sdk(?:\/[\w./-]+)?)?$/;

/** Whether our stand-in for a package differs with the importing file. */
export function isPerImporter(specifier: string): boolean {
  const names = [COPILOT, COPILOT_EXTENSION, XMCP, XMCP_HEADERS];
  return isPi(specifier) || names.includes(specifier) || OPENCLAW.test(specifier);
}

/** The file that takes precedence over an installed package. */
export function replacementOf(specifier: string): string | undefined {
  if (specifier === COPILOT_EXTENSION) return packageFile("copilot");
  return specifier === XMCP_HEADERS ? packageFile("xmcp") : undefined;
}

/** The names of packages that need not be installed, for suggestions. */
export function providedNames(): string[] {
  const pi = ["@mariozechner", "@oh-my-pi", "@earendil-works"].flatMap((scope) =>
    PI_PACKAGES.map((name) => `${scope}/${name}`),
  );
  const opencode = ["@opencode-ai/plugin", "@opencode-ai/plugin/tool", "@opencode/plugin", "@kilocode/plugin"];
  const openclaw = ["openclaw/plugin-sdk", "openclaw/plugin-sdk/plugin-entry", "openclaw/plugin-sdk/core"];
  return [
    ...OWN_NAMES,
    BUILTINS,
    ...opencode,
    ...BUNDLED.slice(0, -1),
    ...RENAMED.keys(),
    COPILOT,
    ROO,
    "@bastani/atomic",
    ...openclaw,
    ...pi,
  ];
}

/**
 * The target of an import that is not installed near the file: a file of this package, or a package to resolve from this
 * one. Undefined for other names.
 */
export function aliasOf(specifier: string): { file: string } | { bundled: string } | undefined {
  if (OWN_NAMES.has(specifier)) return { file: packageFile("index") };
  if (specifier === BUILTINS) return { file: packageFile("builtins") };
  if (OPENCODE.test(specifier)) return { file: packageFile("opencode") };
  if (BUNDLED.some((name) => specifier === name || specifier.startsWith(`${name}/`))) return { bundled: specifier };
  const renamed = RENAMED.get(specifier);
  if (renamed !== undefined) return { bundled: renamed };
  if (specifier === COPILOT || specifier === COPILOT_EXTENSION) return { file: packageFile("copilot") };
  if (specifier === ROO) return { file: packageFile("roo") };
  if (specifier === XMCP || specifier === XMCP_HEADERS) return { file: packageFile("xmcp") };
  if (ATOMIC.test(specifier)) return { file: packageFile("atomic") };
  if (OPENCLAW.test(specifier)) return { file: packageFile("openclaw") };
  const pi = PI.exec(specifier);
  if (!pi || isTypo(pi)) return undefined;
  return { file: packageFile(hasComponents(pi) ? "pi" : "pi-values") };
}

/** Whether a package exports UI components, which take long to load. In oh-my-pi, the main package does too. */
function hasComponents([, scope, name]: RegExpExecArray): boolean {
  return name === "pi-tui" || (scope === "oh-my-pi" && name === "pi-coding-agent");
}

/** An unknown package is assumed to be new, unless its name is nearly that of a known one. */
function isTypo([, , name = ""]: RegExpExecArray): boolean {
  return !PI_PACKAGES.includes(name) && misspelled(name, PI_PACKAGES).length > 0;
}
