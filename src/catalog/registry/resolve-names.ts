import type { Problem } from "../../core/problem.ts";
import type { System } from "../../core/tool.ts";
import type { ToolManifest } from "../../host/protocol/manifest.ts";
import { matchText } from "../../platform/text/wildcard.ts";
import { type LoadedFile, refOf } from "../hosts/loaded-file.ts";
import type { RegistryEntry, Shadowed } from "./registry-entry.ts";

/** The tool that owns each name, the tools that are shadowed, and the problems. */
export interface Names {
  readonly entries: ReadonlyMap<string, RegistryEntry>;
  readonly shadowed: readonly Shadowed[];
  readonly problems: readonly Problem[];
}

/**
 * Assigns each name to one tool. The files are in order of priority: a tool in a folder of higher priority shadows one in a
 * lower folder. Within one folder the first tool keeps the name and the second is a problem, unless `override` lists the name:
 * then the second takes it. The same applies to a built-in tool, but a tool may take the name of a disabled one, and files in
 * places with `mayReplaceBuiltins` may take any. `builtins` are the names of all built-in tools, also if none are served.
 */
export function resolveNames(
  files: readonly LoadedFile[],
  options: { disabled: readonly string[]; override?: readonly string[]; builtins?: ReadonlySet<string> },
): Names {
  const entries = new Map<string, RegistryEntry>();
  const owners = new Map<string, LoadedFile>();
  const shadowed: Shadowed[] = [];
  const problems: Problem[] = [];
  const { builtins = new Set() } = options;
  for (const file of files) {
    problems.push(...file.problems);
    for (const entry of entriesOf(file, (name) => isDisabled(name, file, options.disabled, builtins))) {
      const { name } = entry.manifest;
      const owner = owners.get(name);
      const current = entries.get(name);
      if (!owner || !current || takesOver({ entry, file }, { entry: current, file: owner }, options.override ?? [])) {
        owners.set(name, file);
        entries.set(name, owner && isBuiltin(owner) ? { ...entry, overridesBuiltin: true } : entry);
        if (owner) shadowed.push(shadowedBy(file, name, owner));
      } else if (owner.file.location === file.file.location || isBuiltin(owner)) {
        problems.push(nameTaken(file, entry.manifest, owner));
      } else {
        shadowed.push(shadowedBy(owner, name, file));
      }
    }
  }
  return { entries, shadowed, problems };
}

/** A tool, and the file that defines it. */
interface Candidate {
  readonly entry: RegistryEntry;
  readonly file: LoadedFile;
}

/** Whether a tool takes a name that another tool has. */
function takesOver({ entry, file }: Candidate, current: Candidate, override: readonly string[]): boolean {
  const { name } = entry.manifest;
  const isOfBuiltin = isBuiltin(current.file);
  if (isOfBuiltin && (!current.entry.enabled || mayReplaceBuiltins(file.file))) return true;
  const isOverridable = isOfBuiltin || current.file.file.location === file.file.location;
  return isOverridable && override.some((each) => matchText(each, name));
}

/** The systems in which a tool of a file takes the name of a built-in tool. In the others, the built-in tool stays. */
const REPLACE_BUILTINS: ReadonlySet<System> = new Set(["opencode", "pi"]);

/** Whether a file may replace built-in tools: those in folders and packages of systems that allow it. */
export function mayReplaceBuiltins({ location: { system, kind } }: Pick<LoadedFile["file"], "location">): boolean {
  return kind !== "configured" && REPLACE_BUILTINS.has(system);
}

/**
 * Whether a tool is disabled. The plain name of a built-in tool disables only the built-in one, so that another tool can have
 * the name; a wildcard disables both. This also applies if built-in tools are not served.
 */
export function isDisabled(
  name: string,
  file: Pick<LoadedFile, "file">,
  disabled: readonly string[],
  builtins: ReadonlySet<string>,
): boolean {
  const isBuiltinName = builtins.has(name) && !isBuiltin(file);
  return disabled.some((pattern) => matchText(pattern, name) && !(isBuiltinName && pattern === name));
}

function isBuiltin({ file }: Pick<LoadedFile, "file">): boolean {
  return file.location.builtin === true;
}

function shadowedBy(winner: LoadedFile, name: string, { file }: LoadedFile): Shadowed {
  return { name, file: file.file, by: winner.file.file, ...(file.location.builtin ? { builtin: true } : {}) };
}

function entriesOf(loaded: LoadedFile, isOff: (name: string) => boolean): RegistryEntry[] {
  const ref = refOf(loaded);
  return loaded.manifest.tools.map((manifest) => ({
    manifest,
    ref,
    enabled: ref.file.place === "code" || !(loaded.off || isOff(manifest.name)),
  }));
}

function nameTaken(file: LoadedFile, { name, format }: ToolManifest, owner: LoadedFile): Problem {
  // In the other formats, the definition contains the name.
  const rename = format === "tool" ? "Rename this file or its export" : "Rename the tool in this file";
  const message = isBuiltin(owner)
    ? `The name "${name}" belongs to a built-in tool. ${rename}, or add the name to "tools.override" to replace the built-in tool.`
    : `The name "${name}" is taken by ${owner.file.file} in the same folder. ${rename}, or add the name to "tools.override".`;
  return { file: file.file.file, code: "name_taken", message, tool: name };
}

/** Whether a file may define a tool, judged by its name: its tools are named after the file, or have its name as a prefix. */
export function mayDefine(file: string, name: string): boolean {
  const base = file.replace(/[\\/]index\.[^.]+$/, "").replace(/\.[^./\\]+$/, "");
  const stem = base.slice(Math.max(base.lastIndexOf("/"), base.lastIndexOf("\\")) + 1);
  return name === stem || name.startsWith(`${stem}_`);
}
