import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../core/error.ts";
import type { Client, Entry, Launch, Level } from "./client.ts";
import { isLink, readConfig } from "./config-file.ts";
import { ConfigProblem } from "./config-problem.ts";
import { changeEntry, type Editor, type EntryPath, entryAt, putEntry, removeEntry } from "./editor.ts";
import { jsonEditor } from "./json-editor.ts";
import { startsUs, wordsOf } from "./launch.ts";
import { tomlEditor } from "./toml-editor.ts";

/** One configuration, and the name of our server in it. */
export interface Target {
  readonly client: Client;
  readonly level: Level;
  readonly file: string;
  readonly name: string;
}

/** What is to be done to a configuration. Nothing has happened yet. */
export type Plan =
  | {
      readonly kind: "change";
      readonly does: "add" | "update" | "replace" | "remove";
      /** The texts of the file; undefined where there is no file. */
      readonly before: string | undefined;
      readonly after: string | undefined;
      /** What happens to the copy that is kept beside the file. */
      readonly backup: "write" | "leave" | "drop";
      /** The new entry in the words of the client, as it would stand in a configuration of its own. */
      readonly shown?: string;
      /** The command line of the entry that goes or changes. */
      readonly was: readonly string[];
    }
  /** It is as it should be. */
  | { readonly kind: "done" }
  /** `problem` is a whole sentence, or several, that say what to do. */
  | { readonly kind: "refused"; readonly problem: string };

/** Where the text of a configuration is kept as it was before it was changed. */
export function backupOf(file: string): string {
  return `${file}.toolwright-backup`;
}

/** How to make our server known. Never throws. */
export function planInstall(target: Target, launch: Launch, options: { readonly force: boolean }): Plan {
  return planned(target, (before, { editor, at, there }) => {
    const entry = target.client.toEntry(launch, target.level);
    if (isDeepStrictEqual(wordsOf(there), wordsOf(entry))) return { kind: "done" };
    const isOurs = startsUs(there, launch);
    const was = wordsOf(there);
    if (there !== undefined && !isOurs && !options.force) return { kind: "refused", problem: foreign(target, was) };
    const text = before ?? "";
    const after = isOurs ? changeEntry(editor, text, at, commandOf(entry)) : putEntry(editor, text, at, entry);
    const does = there === undefined ? "add" : isOurs ? "update" : "replace";
    const isKept = before === undefined || (isOurs && textBefore(target, text, launch) !== undefined);
    return {
      kind: "change",
      does,
      before,
      after,
      backup: isKept ? "leave" : "write",
      shown: editor.spell(at, entry),
      was,
    };
  });
}

/** How to take our server out again, to the text that was there before where that is known. Never throws. */
export function planUninstall(target: Target, launch: Launch, options: { readonly force: boolean }): Plan {
  return planned(target, (before, { editor, at, there }) => {
    if (before === undefined || there === undefined) return { kind: "done" };
    const was = wordsOf(there);
    const isOurs = startsUs(there, launch);
    if (!isOurs && !options.force) return { kind: "refused", problem: foreign(target, was) };
    const change = { kind: "change", does: "remove", before, was } as const;
    const old = isOurs ? textBefore(target, before, launch) : undefined;
    if (old) return { ...change, after: old.text, backup: old.text === undefined ? "leave" : "drop" };
    return { ...change, after: removeEntry(editor, before, at), backup: "write" };
  });
}

/** The entry of our name in a configuration; undefined where there is none. Throws where the file cannot be read. */
export function installedEntry(target: Target): unknown {
  const text = readConfig(target.file);
  return text === undefined ? undefined : look(target, text).there;
}

/** What is wrong with a configuration, as a sentence that begins with the file. */
export function problemText(file: string, error: unknown): string {
  if (!(error instanceof ConfigProblem)) return `${file} cannot be used: ${messageOf(error)}.`;
  return `${file}${error.line === undefined ? "" : `:${error.line}`} ${error.message}.`;
}

interface Seen {
  readonly editor: Editor;
  readonly at: EntryPath;
  readonly there: unknown;
}

function planned(target: Target, plan: (before: string | undefined, seen: Seen) => Plan): Plan {
  try {
    const before = readConfig(target.file);
    return plan(before, look(target, before ?? ""));
  } catch (error) {
    const problem = `${problemText(target.file, error)} Nothing was changed: correct it, then run this again.`;
    return { kind: "refused", problem };
  }
}

function look({ client, name }: Target, text: string): Seen {
  const editor = client.format === "toml" ? tomlEditor : jsonEditor;
  const config = editor.parse(text.replace(/^\uFEFF/, ""));
  const at = { section: client.section(config), name };
  return { editor, at, there: entryAt(config, at) };
}

/**
 * What there was before we were installed: known where the same installation, done to the copy that was kept, or to
 * nothing, gives the very text that is there now. `text` is undefined where there was no file.
 */
function textBefore(target: Target, now: string, launch: Launch): { text: string | undefined } | undefined {
  const { there, editor } = look(target, now);
  const isFrom = (old: string): boolean => {
    try {
      const seen = look(target, old);
      if (startsUs(seen.there, launch)) return false;
      return putEntry(editor, old, seen.at, there as Entry) === now;
    } catch {
      return false;
    }
  };
  const backup = textOf(backupOf(target.file));
  if (backup !== undefined && isFrom(backup)) return { text: backup };
  return !isLink(target.file) && isFrom("") ? { text: undefined } : undefined;
}

function textOf(file: string): string | undefined {
  try {
    return readConfig(file);
  } catch {
    return undefined;
  }
}

/** What the user has added to an entry of ours stays. */
function commandOf(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => key === "command" || key === "args"));
}

function foreign({ client, file, name }: Target, was: readonly string[]): string {
  const runs = was.length === 0 ? "" : `, which runs ${was.join(" ")}`;
  return `${file} has another server "${name}"${runs}. ${client.name} is left as it is: choose another name with --name, or say --force.`;
}
