import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { homes } from "../config/options.ts";
import { messageOf } from "../core/error.ts";
import type { Entry, Launch } from "./agent.ts";
import { isLink, readConfig } from "./config-file.ts";
import { ConfigProblem } from "./config-problem.ts";
import { changeEntry, putEntry, removeEntry } from "./editor.ts";
import { startsUs, wordsOf } from "./launch.ts";
import { everySection, leadsElsewhere, look, type Seen, type Target } from "./target.ts";

/** What is to be done to a configuration. Nothing has happened yet. */
export type Plan =
  | {
      readonly kind: "change";
      readonly does: "add" | "update" | "replace" | "remove";
      /** The texts of the file; undefined where there is no file. */
      readonly before: string | undefined;
      readonly after: string | undefined;
      /** What happens to the copy of the old text. */
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

/**
 * Where the text of a configuration is kept as it was before it was changed: in a private folder of the user's, since it may
 * hold keys, and what lies in a project gets committed.
 */
export function backupOf({ file, at }: Target): string {
  const { toolwrightHome } = homes(at.env, at.home, { cwd: at.cwd, platform: at.platform });
  const id = createHash("sha256").update(file).digest("hex").slice(0, 12);
  return join(toolwrightHome, "backups", `${basename(file)}.${id}`);
}

/** Why a configuration is not changed because of where it leads; undefined where nothing is in the way. */
export function refusalOf(target: Target): string | undefined {
  const elsewhere = leadsElsewhere(target);
  if (!elsewhere) return undefined;
  return `${elsewhere.sentence} Nothing was changed. Put a file in the place of the link, or edit ${elsewhere.to} yourself.`;
}

/** How to make our server known. Never throws. */
export function planInstall(target: Target, launch: Launch, options: { readonly force: boolean }): Plan {
  return planned(target, target.client.sections, (before, { editor, at, there }) => {
    const entry = target.client.toEntry(launch, target.level);
    if (isDeepStrictEqual(wordsOf(there), wordsOf(entry))) return { kind: "done" };
    const isOurs = startsUs(there, launch, target.at);
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
  return planned(target, everySection(target), (before, { editor, at, there }) => {
    if (before === undefined || there === undefined) return { kind: "done" };
    const was = wordsOf(there);
    const isOurs = startsUs(there, launch, target.at);
    if (!isOurs && !options.force) return { kind: "refused", problem: foreign(target, was) };
    const change = { kind: "change", does: "remove", before, was } as const;
    const old = isOurs ? textBefore(target, before, launch) : undefined;
    if (old) return { ...change, after: old.text, backup: old.text === undefined ? "leave" : "drop" };
    return { ...change, after: withoutOurs(target, removeEntry(editor, before, at), launch), backup: "write" };
  });
}

/** What is wrong with a configuration, as a sentence that begins with the file. */
export function problemText(file: string, error: unknown): string {
  if (!(error instanceof ConfigProblem)) return `${file} cannot be used: ${messageOf(error)}.`;
  return `${file}${error.line === undefined ? "" : `:${error.line}`} ${error.message}.`;
}

function planned(
  target: Target,
  sections: Target["client"]["sections"],
  plan: (before: string | undefined, seen: Seen) => Plan,
): Plan {
  const refusal = refusalOf(target);
  if (refusal !== undefined) return { kind: "refused", problem: refusal };
  try {
    const before = readConfig(target.file);
    return plan(before, look(target, sections, before ?? ""));
  } catch (error) {
    const problem = `${problemText(target.file, error)} Nothing was changed: correct it, then run this again.`;
    return { kind: "refused", problem };
  }
}

/** An entry may stand in several sections, of which one overrides the other. */
function withoutOurs(target: Target, text: string, launch: Launch): string {
  const { editor, at, there } = look(target, everySection(target), text);
  return startsUs(there, launch, target.at) ? withoutOurs(target, removeEntry(editor, text, at), launch) : text;
}

/**
 * What there was before we were installed: known where the same installation, done to the copy that was kept, or to
 * nothing, gives the very text that is there now. `text` is undefined where there was no file.
 */
function textBefore(target: Target, now: string, launch: Launch): { text: string | undefined } | undefined {
  const { sections } = target.client;
  const { there, editor } = look(target, sections, now);
  if (there === undefined) return undefined;
  const isFrom = (old: string): boolean => {
    try {
      const seen = look(target, everySection(target), old);
      if (startsUs(seen.there, launch, target.at)) return false;
      return putEntry(editor, old, seen.at, there as Entry) === now;
    } catch {
      return false;
    }
  };
  const backup = textOf(backupOf(target));
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
