import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import type { ServerEntry } from "./agent.ts";
import { ConfigProblem } from "./config-problem.ts";

/** Where one server is in a config file: its section, and its name in that section. */
export interface EntryPath {
  readonly section: readonly string[];
  readonly name: string;
}

/**
 * Changes one entry in the text of a config file, and nothing else. Texts have no byte order mark. Each function throws a
 * `ConfigProblem` if the text does not allow the change.
 */
export interface Editor {
  parse(text: string): unknown;
  /** A config file that holds only this entry. */
  print(path: EntryPath, entry: ServerEntry): string;
  set(text: string, path: EntryPath, entry: ServerEntry): string;
  /** Changes these fields of an existing entry. Removes a field whose value is undefined. */
  change(text: string, path: EntryPath, fields: ServerEntry): string;
  remove(text: string, path: EntryPath): string;
}

/** The entry at a path; undefined if there is none. */
export function entryAt(config: unknown, { section, name }: EntryPath): unknown {
  return [...section, name].reduce(childOf, config);
}

/** The entries of a section by name; empty if there is no such section. */
export function tableAt(config: unknown, section: readonly string[]): ServerEntry {
  const value = section.reduce(childOf, config);
  return isTable(value) ? value : {};
}

/** Adds or replaces an entry. Like the two functions below, it keeps the byte order mark and verifies its result. */
export function setEntry(editor: Editor, text: string, path: EntryPath, entry: ServerEntry): string {
  return edited(editor, text, path, { edit: (body) => editor.set(body, path, entry), check: has(entry) });
}

/** Changes some fields of an entry. */
export function changeEntry(editor: Editor, text: string, path: EntryPath, fields: ServerEntry): string {
  return edited(editor, text, path, { edit: (body) => editor.change(body, path, fields), check: has(fields) });
}

/** Removes an entry. */
export function removeEntry(editor: Editor, text: string, path: EntryPath): string {
  const check: Check = (entry) => entry === undefined;
  return edited(editor, text, path, { edit: (body) => editor.remove(body, path), check });
}

type Check = (entry: unknown) => boolean;

function has(fields: ServerEntry): Check {
  return (entry) => Object.entries(fields).every(([key, value]) => isDeepStrictEqual(childOf(entry, key), value));
}

function edited(
  editor: Editor,
  text: string,
  path: EntryPath,
  { edit, check }: { readonly edit: (body: string) => string; readonly check: Check },
): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const before = editor.parse(body);
  refuseInvalidSection(before, path);
  const changed = edit(body);
  const after = parsedAgain(editor, changed);
  if (check(entryAt(after, path)) && isSameExcept(before, after, [...path.section, path.name])) return mark + changed;
  throw new ConfigProblem("is written in a way that cannot be changed safely");
}

function refuseInvalidSection(config: unknown, { section }: EntryPath): void {
  for (let length = 0; length <= section.length; length++) {
    const value = section.slice(0, length).reduce(childOf, config);
    if (value === undefined || isTable(value)) continue;
    const what = length === 0 ? "it" : `"${section.slice(0, length).join(".")}" in it`;
    throw new ConfigProblem(`cannot be changed: ${what} is not an object`);
  }
}

function parsedAgain(editor: Editor, text: string): unknown {
  return tryOrUndefined(() => editor.parse(text));
}

/** Whether two configs are equal except at a path. A table on the path that is otherwise empty may be missing in one of them. */
function isSameExcept(one: unknown, other: unknown, [key, ...more]: readonly string[]): boolean {
  if (key === undefined) return true;
  const [a, b] = [one ?? {}, other ?? {}];
  if (!isTable(a) || !isTable(b)) return isDeepStrictEqual(a, b);
  const others = Object.keys(a).filter((each) => each !== key);
  const count = Object.keys(b).filter((each) => each !== key).length;
  return (
    others.length === count &&
    others.every((each) => Object.hasOwn(b, each) && isDeepStrictEqual(a[each], b[each])) &&
    isSameExcept(childOf(a, key), childOf(b, key), more)
  );
}

function childOf(value: unknown, key: string): unknown {
  return isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof Date);
}
