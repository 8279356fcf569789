import type { Problem } from "../core/problem.ts";
import { matchText } from "../core/wildcard.ts";
import { type CatalogEntry, refOf } from "../host/catalog.ts";
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
 */
export function resolveNames(
  files: readonly CatalogEntry[],
  options: { disabled: readonly string[]; override?: readonly string[] },
): Names {
  const entries = new Map<string, Entry>();
  const owners = new Map<string, CatalogEntry>();
  const shadowed: Shadowed[] = [];
  const problems: Problem[] = [];
  for (const file of files) {
    problems.push(...file.problems);
    for (const entry of entriesOf(file, options.disabled)) {
      const { name } = entry.manifest;
      const owner = owners.get(name);
      if (!owner) {
        owners.set(name, file);
        entries.set(name, entry);
      } else if (owner.file.place === file.file.place && options.override?.some((each) => matchText(each, name))) {
        owners.set(name, file);
        entries.set(name, entry);
        shadowed.push({ name, file: owner.file.file, by: file.file.file });
      } else if (owner.file.place === file.file.place) {
        problems.push(taken(file, name, owner.file.file));
      } else {
        shadowed.push({ name, file: file.file.file, by: owner.file.file });
      }
    }
  }
  return { entries, shadowed, problems };
}

function entriesOf(catalog: CatalogEntry, disabled: readonly string[]): Entry[] {
  const ref = refOf(catalog);
  const { file } = ref;
  return catalog.manifest.tools.map((manifest) => ({
    manifest,
    source: file.source,
    place: file.place,
    ref,
    enabled: file.place === "code" || !(catalog.off || disabled.some((pattern) => matchText(pattern, manifest.name))),
  }));
}

function taken(file: CatalogEntry, name: string, by: string): Problem {
  const message = `The name "${name}" is taken by ${by} in the same folder. Rename this file or its export, or name it in "tools.override".`;
  return { file: file.file.file, code: "name_taken", message, tool: name };
}
