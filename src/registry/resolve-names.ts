import type { Problem } from "../core/problem.ts";
import { matchText } from "../core/wildcard.ts";
import { type LoadedFile, refOf } from "../supervisor/loaded-file.ts";
import type { Entry, Shadowed } from "./entry.ts";

/** Who has which name, who lost it, and what is wrong. */
export interface Names {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly shadowed: readonly Shadowed[];
  readonly problems: readonly Problem[];
}

/**
 * Gives each name to one tool. The files come highest priority first: a higher place shadows a lower one; within
 * one place the first stays and the second is a problem, unless `override` names it: then the second takes it over.
 * A built-in tool keeps its name in the same way, but a disabled one has none to keep, and extensions of pi may take it.
 * `builtins` are the names of all built-in tools, also where none are served.
 */
export function resolveNames(
  files: readonly LoadedFile[],
  options: { disabled: readonly string[]; override?: readonly string[]; builtins?: ReadonlySet<string> },
): Names {
  const entries = new Map<string, Entry>();
  const owners = new Map<string, LoadedFile>();
  const shadowed: Shadowed[] = [];
  const problems: Problem[] = [];
  const { builtins = new Set() } = options;
  for (const file of files) {
    problems.push(...file.problems);
    for (const entry of entriesOf(file, (name) => isDisabled(name, file, options.disabled, builtins))) {
      const { name } = entry.manifest;
      const owner = owners.get(name);
      const held = entries.get(name);
      if (!owner || !held || takesOver(entry, held, owner, file, options.override ?? [])) {
        owners.set(name, file);
        entries.set(name, entry);
        if (owner) shadowed.push({ name, file: owner.file.file, by: file.file.file });
      } else if (owner.file.location === file.file.location || isBuiltin(owner)) {
        problems.push(taken(file, name, owner));
      } else {
        shadowed.push({ name, file: file.file.file, by: owner.file.file });
      }
    }
  }
  return { entries, shadowed, problems };
}

/** Whether a tool gets a name that another one has. */
function takesOver(
  entry: Entry,
  held: Entry,
  owner: LoadedFile,
  file: LoadedFile,
  override: readonly string[],
): boolean {
  const { name, format } = entry.manifest;
  if (isBuiltin(owner) && (!held.enabled || format === "pi-extension")) return true;
  const rivals = isBuiltin(owner) || owner.file.location === file.file.location;
  return rivals && override.some((each) => matchText(each, name));
}

/**
 * Whether a tool is switched off. The plain name of a built-in tool switches that one off, so that another may have the
 * name; only a wildcard is meant for both. Settings mean the same where built-in tools are not served.
 */
export function isDisabled(
  name: string,
  file: Pick<LoadedFile, "file">,
  disabled: readonly string[],
  builtins: ReadonlySet<string>,
): boolean {
  const spent = builtins.has(name) && !isBuiltin(file);
  return disabled.some((pattern) => matchText(pattern, name) && !(spent && pattern === name));
}

function isBuiltin({ file }: Pick<LoadedFile, "file">): boolean {
  return file.location.builtin === true;
}

function entriesOf(catalog: LoadedFile, isOff: (name: string) => boolean): Entry[] {
  const ref = refOf(catalog);
  const { file } = ref;
  return catalog.manifest.tools.map((manifest) => ({
    manifest,
    source: file.source,
    place: file.place,
    ref,
    enabled: file.place === "code" || !(catalog.off || isOff(manifest.name)),
  }));
}

function taken(file: LoadedFile, name: string, owner: LoadedFile): Problem {
  const message = isBuiltin(owner)
    ? `The name "${name}" is that of a built-in tool. Rename this file or its export, or, to have it instead of the built-in one, name it in "tools.override".`
    : `The name "${name}" is taken by ${owner.file.file} in the same folder. Rename this file or its export, or name it in "tools.override".`;
  return { file: file.file.file, code: "name_taken", message, tool: name };
}
