import { join, resolve } from "node:path";
import { XMCP_CONFIG_FILES } from "../../core/xmcp-config.ts";
import { isInside } from "../../platform/files/inside.ts";
import { codeOnly } from "../../platform/text/code-only.ts";
import { readText } from "./read-config-file.ts";
import type { ProjectPlace } from "./repository.ts";

/** The tools folders of xmcp in a project. */
export interface XmcpProjects {
  /** By directory of the project. */
  readonly folders: ReadonlyMap<string, string>;
  /** The config files, also if they do not exist. */
  readonly files: readonly string[];
}

const DEFAULT_FOLDER = "src/tools";

/** Longer configurations are not searched: an untrusted project may make that slow. */
const MAX_CHARACTERS = 100_000;

/** Finds the directories with a configuration of xmcp. Only its text is read: it is not run. Never throws. */
export function findXmcpProjects(options: ProjectPlace & { readonly trusted: boolean }): XmcpProjects {
  const { directories, root, trusted } = options;
  const folders = new Map<string, string>();
  const files = directories.flatMap((directory) => XMCP_CONFIG_FILES.map((name) => join(directory, name)));
  for (const directory of directories) {
    const texts = XMCP_CONFIG_FILES.map((name) => readText(join(directory, name), trusted ? undefined : root));
    const text = texts.find((each) => each !== undefined);
    const named = text === undefined ? undefined : toolsFolderIn(text);
    if (named === undefined) continue;
    const folder = resolve(directory, named);
    if (folder !== directory && isInside(root, folder)) folders.set(directory, folder);
  }
  return { folders, files };
}

/** The value of `paths.tools`. Undefined if it is `false`: the project has no tools. */
function toolsFolderIn(text: string): string | undefined {
  if (text.length > MAX_CHARACTERS) return DEFAULT_FOLDER;
  // Texts and comments are blank in `code`, at the same places.
  const code = codeOnly(text);
  const start = /\bpaths\s*:\s*\{/.exec(code);
  if (!start) return DEFAULT_FOLDER;
  const from = start.index + start[0].length;
  const end = code.indexOf("}", from);
  const tools = /\btools\s*:\s*/.exec(code.slice(from, end < 0 ? undefined : end));
  if (!tools) return DEFAULT_FOLDER;
  const value = text.slice(from + tools.index + tools[0].length);
  if (/^false\b/.test(value)) return undefined;
  return /^["'`]([^"'`\n]+)["'`]/.exec(value)?.[1] ?? DEFAULT_FOLDER;
}
