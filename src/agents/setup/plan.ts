import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../../core/error.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { homes } from "../../settings/defaults.ts";
import type { AgentSetup, Launch, ServerEntry } from "./agent.ts";
import { isLink, readConfig } from "./config-file.ts";
import { ConfigProblem } from "./config-problem.ts";
import { changeEntry, removeEntry, setEntry } from "./editor.ts";
import { commandLineOf, isOurEntry } from "./launch.ts";
import { type ConfigTarget, everySection, type FoundEntry, findEntry, linkOutOfProject } from "./target.ts";

/** A change to a config file that has not been made yet. */
export type Plan =
  | {
      readonly kind: "change";
      readonly does: "add" | "update" | "replace" | "remove";
      /** The texts of the file; undefined if there is no file. */
      readonly before: string | undefined;
      readonly after: string | undefined;
      /** What happens to the backup of the old text. */
      readonly backup: "write" | "leave" | "drop";
      /** The new entry, as a whole config file would show it. */
      readonly shown?: string;
      /** The command line of the entry that is removed or changed. */
      readonly was: readonly string[];
    }
  | { readonly kind: "done" }
  /** `problem` is one or more sentences that say what to do. */
  | { readonly kind: "refused"; readonly problem: string };

/** The backup of a config file. It is in a private folder of the user, since it may hold keys, and a project's files get committed. */
export function backupOf({ file, environment }: ConfigTarget): string {
  const { env, home, cwd, platform } = environment;
  const { toolwrightHome } = homes(env, home, { cwd, platform });
  const id = createHash("sha256").update(file).digest("hex").slice(0, 12);
  return join(toolwrightHome, "backups", `${basename(file)}.${id}`);
}

/** Why a config file must not be changed, because it is a link out of the project. */
export function planRefusal(target: ConfigTarget): string | undefined {
  const link = linkOutOfProject(target);
  if (!link) return undefined;
  return `${link.sentence} Nothing was changed. Replace the link with a file, or edit ${link.to} yourself.`;
}

/** The options of `install` that decide the content of the entry. */
interface InstallOptions {
  /** Replaces another server of the same name. */
  readonly force: boolean;
  /** Leaves out the fields that keep the tools loaded. */
  readonly defer?: boolean;
  /** Writes the fields with which the agent calls the tools without asking. */
  readonly allow?: boolean;
}

/** Plans to add our server, or to update its entry. Never throws. */
export function planInstall(target: ConfigTarget, launch: Launch, options: InstallOptions): Plan {
  return planned(target, target.agent.sections, (before, { editor, path, entry: existing }) => {
    const entry = wantedEntry(target, launch, options);
    const was = commandLineOf(existing);
    const isOurs = isOurEntry(existing, launch, target.environment);
    if (existing !== undefined && !isOurs && !options.force) {
      return { kind: "refused", problem: foreignServer(target, was) };
    }
    const fields = isOurs ? fieldsToChange(target, existing as ServerEntry, entry, options) : entry;
    if (Object.keys(fields).length === 0) return { kind: "done" };
    const text = before ?? "";
    const after = isOurs ? changeEntry(editor, text, path, fields) : setEntry(editor, text, path, entry);
    const does = existing === undefined ? "add" : isOurs ? "update" : "replace";
    const hasBackup = before === undefined || (isOurs && textBeforeInstall(target, text, launch) !== undefined);
    const backup = hasBackup ? "leave" : "write";
    const shown = editor.print(
      path,
      isOurs ? { ...entry, ...keptFields(target, existing as ServerEntry, fields) } : entry,
    );
    return { kind: "change", does, before, after, backup, shown, was };
  });
}

/** Whether the present entry has all fields with which the agent calls the tools without asking. Never throws. */
export function isAllowed(target: ConfigTarget): boolean {
  const { agent, file } = target;
  if (!agent.allowFields) return false;
  try {
    const { entry } = findEntry(target, agent.sections, readConfig(file) ?? "");
    return Object.keys(differing((entry ?? {}) as ServerEntry, agent.allowFields)).length === 0;
  } catch {
    return false;
  }
}

function wantedEntry({ agent, level }: ConfigTarget, launch: Launch, { defer, allow }: InstallOptions): ServerEntry {
  const { loadFields, allowFields } = agent;
  return { ...agent.toEntry(launch, level), ...(defer ? {} : loadFields), ...(allow ? allowFields : {}) };
}

/**
 * The fields of our existing entry that `install` changes; undefined removes one. A value that the user has set for a field
 * that keeps tools loaded stays. All other fields are the user's.
 */
function fieldsToChange(
  { agent }: ConfigTarget,
  existing: ServerEntry,
  entry: ServerEntry,
  { defer, allow }: InstallOptions,
): ServerEntry {
  const { loadFields = {}, allowFields = {} } = agent;
  const missing = Object.entries(loadFields).filter(([key]) => !Object.hasOwn(existing, key));
  const written = Object.entries(loadFields).filter(([key, value]) => isDeepStrictEqual(existing[key], value));
  return {
    ...differing(existing, commandOf(entry)),
    ...(defer ? Object.fromEntries(written.map(([key]) => [key, undefined])) : Object.fromEntries(missing)),
    ...(allow ? differing(existing, allowFields) : {}),
  };
}

function differing(entry: ServerEntry, fields: ServerEntry): ServerEntry {
  return Object.fromEntries(Object.entries(fields).filter(([key, value]) => !isDeepStrictEqual(entry[key], value)));
}

/** The values of our fields that stay as the user has set them. */
function keptFields({ agent }: ConfigTarget, existing: ServerEntry, changed: ServerEntry): ServerEntry {
  const ours = Object.keys({ ...agent.loadFields, ...agent.allowFields });
  return Object.fromEntries(
    ours.flatMap((key) => (Object.hasOwn(existing, key) && !Object.hasOwn(changed, key) ? [[key, existing[key]]] : [])),
  );
}

/** Plans to remove our server, and to restore the text from before the installation if it is known. Never throws. */
export function planUninstall(target: ConfigTarget, launch: Launch, options: { readonly force: boolean }): Plan {
  return planned(target, everySection(target), (before, { editor, path, entry }) => {
    if (before === undefined || entry === undefined) return { kind: "done" };
    const was = commandLineOf(entry);
    const isOurs = isOurEntry(entry, launch, target.environment);
    if (!isOurs && !options.force) return { kind: "refused", problem: foreignServer(target, was) };
    const change = { kind: "change", does: "remove", before, was } as const;
    const old = isOurs ? textBeforeInstall(target, before, launch) : undefined;
    if (old) return { ...change, after: old.text, backup: old.text === undefined ? "leave" : "drop" };
    return { ...change, after: withoutOurs(target, removeEntry(editor, before, path), launch), backup: "write" };
  });
}

/** A sentence that begins with the file and its line. */
export function planProblemText(file: string, error: unknown): string {
  if (!(error instanceof ConfigProblem)) return `${file} cannot be read: ${messageOf(error)}.`;
  return `${file}${error.line === undefined ? "" : `:${error.line}`} ${error.message}.`;
}

function planned(
  target: ConfigTarget,
  sections: AgentSetup["sections"],
  plan: (before: string | undefined, found: FoundEntry) => Plan,
): Plan {
  const refusal = planRefusal(target);
  if (refusal !== undefined) return { kind: "refused", problem: refusal };
  try {
    const before = readConfig(target.file);
    return plan(before, findEntry(target, sections, before ?? ""));
  } catch (error) {
    const problem = `${planProblemText(target.file, error)} Nothing was changed. Correct it, then run this again.`;
    return { kind: "refused", problem };
  }
}

/** Removes our entry from every section: one section overrides the other. */
function withoutOurs(target: ConfigTarget, text: string, launch: Launch): string {
  const { editor, path, entry } = findEntry(target, everySection(target), text);
  if (!isOurEntry(entry, launch, target.environment)) return text;
  return withoutOurs(target, removeEntry(editor, text, path), launch);
}

/**
 * The text before our installation. It is known if installing into the backup, or into an empty text, gives exactly the
 * present text. `text` is undefined if there was no file.
 */
function textBeforeInstall(
  target: ConfigTarget,
  now: string,
  launch: Launch,
): { text: string | undefined } | undefined {
  const { editor, entry } = findEntry(target, target.agent.sections, now);
  if (entry === undefined) return undefined;
  const becomesNow = (old: string): boolean => {
    try {
      const found = findEntry(target, everySection(target), old);
      if (isOurEntry(found.entry, launch, target.environment)) return false;
      return setEntry(editor, old, found.path, entry as ServerEntry) === now;
    } catch {
      return false;
    }
  };
  const backup = readBackup(target);
  if (backup !== undefined && becomesNow(backup)) return { text: backup };
  return !isLink(target.file) && becomesNow("") ? { text: undefined } : undefined;
}

function readBackup(target: ConfigTarget): string | undefined {
  return tryOrUndefined(() => readConfig(backupOf(target)));
}

/** The fields that an update changes. Others may be the user's. */
function commandOf(entry: ServerEntry): ServerEntry {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => key === "command" || key === "args"));
}

function foreignServer({ file, name }: ConfigTarget, was: readonly string[]): string {
  const runs = was.length === 0 ? "" : `, which runs ${was.join(" ")}`;
  return `${file} has another server named "${name}"${runs}. Nothing was changed. Choose another name with --name, or use --force.`;
}
