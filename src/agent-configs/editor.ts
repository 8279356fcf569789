import { isDeepStrictEqual } from "node:util";
import type { Entry } from "./agent.ts";
import { ConfigProblem } from "./config-problem.ts";

/** Where one server stands in a configuration: the section, and its name there. */
export interface EntryPath {
  readonly section: readonly string[];
  readonly name: string;
}

/**
 * Changes one entry in the text of a configuration, and nothing else in it. Texts have no byte order mark. Each function
 * throws a `ConfigProblem` where it cannot.
 */
export interface Editor {
  parse(text: string): unknown;
  /** The entry as it would be written into a file of its own. */
  spell(at: EntryPath, entry: Entry): string;
  /** Adds an entry, or puts it in the place of one that is there. */
  put(text: string, at: EntryPath, entry: Entry): string;
  /** Changes these fields of an entry that is there. */
  change(text: string, at: EntryPath, fields: Entry): string;
  remove(text: string, at: EntryPath): string;
}

/** The entry at a path; undefined where there is none. */
export function entryAt(config: unknown, { section, name }: EntryPath): unknown {
  return [...section, name].reduce(childOf, config);
}

/** The entries of a section by name; none where it is not there. */
export function tableAt(config: unknown, section: readonly string[]): Entry {
  const value = section.reduce(childOf, config);
  return isTable(value) ? value : {};
}

/** A text with an entry put into it. As the two below it makes sure of what comes out; the byte order mark stays. */
export function putEntry(editor: Editor, text: string, at: EntryPath, entry: Entry): string {
  return edited(editor, text, at, (body) => editor.put(body, at, entry), has(entry));
}

/** A text with some fields of an entry changed. */
export function changeEntry(editor: Editor, text: string, at: EntryPath, fields: Entry): string {
  return edited(editor, text, at, (body) => editor.change(body, at, fields), has(fields));
}

/** A text without an entry that is in it. */
export function removeEntry(editor: Editor, text: string, at: EntryPath): string {
  return edited(
    editor,
    text,
    at,
    (body) => editor.remove(body, at),
    (entry) => entry === undefined,
  );
}

type Check = (entry: unknown) => boolean;

function has(fields: Entry): Check {
  return (entry) => Object.entries(fields).every(([key, value]) => isDeepStrictEqual(childOf(entry, key), value));
}

function edited(editor: Editor, text: string, at: EntryPath, edit: (body: string) => string, check: Check): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const before = editor.parse(body);
  refuseOddSection(before, at);
  const changed = edit(body);
  const after = parsedAgain(editor, changed);
  if (check(entryAt(after, at)) && isSameBut(before, after, [...at.section, at.name])) return mark + changed;
  throw new ConfigProblem("is written in a way that cannot be changed safely");
}

function refuseOddSection(config: unknown, { section }: EntryPath): void {
  for (let length = 0; length <= section.length; length++) {
    const value = section.slice(0, length).reduce(childOf, config);
    if (value === undefined || isTable(value)) continue;
    const what = length === 0 ? "it" : `"${section.slice(0, length).join(".")}" in it`;
    throw new ConfigProblem(`cannot be changed: ${what} is not an object`);
  }
}

function parsedAgain(editor: Editor, text: string): unknown {
  try {
    return editor.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether two configurations have all in common but what is at a path, and the tables that would hold nothing else. */
function isSameBut(one: unknown, other: unknown, [key, ...more]: readonly string[]): boolean {
  if (key === undefined) return true;
  const [a, b] = [one ?? {}, other ?? {}];
  if (!isTable(a) || !isTable(b)) return isDeepStrictEqual(a, b);
  const others = Object.keys(a).filter((each) => each !== key);
  const count = Object.keys(b).filter((each) => each !== key).length;
  return (
    others.length === count &&
    others.every((each) => Object.hasOwn(b, each) && isDeepStrictEqual(a[each], b[each])) &&
    isSameBut(childOf(a, key), childOf(b, key), more)
  );
}

function childOf(value: unknown, key: string): unknown {
  return isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
