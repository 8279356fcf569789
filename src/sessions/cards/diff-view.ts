import type { DiffCard } from "../../core/card.ts";
import { diffTexts, type FileDiff, MAX_COMPARED, MAX_PAIRS, readPatch } from "../../platform/text/line-diff.ts";
import { isObject } from "../../platform/values/is-object.ts";
import type { CallFields } from "./call-fields.ts";

/** The files that a call changes. What the result says comes before the input: it has the numbers of the lines. */
export function changedFiles(card: DiffCard, fields: CallFields): readonly FileDiff[] | undefined {
  const path = fields.text(card.path);
  const planned = patchOf(card, fields) ?? editsOf(card, fields) ?? replacementOf(card, fields);
  const files = reportedDiff(card, fields) ?? reportedChanges(card, fields) ?? planned;
  return files?.map((file) => ({
    ...file,
    path: fields.shortPath(files.length === 1 ? (path ?? file.path) : file.path),
  }));
}

/** "src/a.ts +2 -1", "3 files +10 -0" */
export function diffTitle(files: readonly FileDiff[]): string {
  const [first] = files;
  if (!first) return "no changes";
  const name = files.length === 1 ? first.path : `${files.length} files`;
  return `${name} +${sum(files, "added")} -${sum(files, "removed")}`.trim();
}

function reportedDiff(card: DiffCard, fields: CallFields): readonly FileDiff[] | undefined {
  const diff = fields.resultValue(card.diff);
  if (typeof diff !== "string") return undefined;
  const files = readPatch(diff);
  if (files.length > 0) return files;
  return diff.trim() === "" ? [{ path: "", lines: [], omitted: 0, added: 0, removed: 0 }] : undefined;
}

/** A text of a file, and the one that takes its place. */
interface Change {
  readonly path: string;
  readonly before?: string;
  readonly after: string;
}

function reportedChanges(card: DiffCard, fields: CallFields): readonly FileDiff[] | undefined {
  const changes = fields.resultValue(card.changes);
  if (!Array.isArray(changes)) return undefined;
  return diffsOf(
    changes.map((change) => {
      const { path, before, after } = isObject(change) ? change : {};
      return typeof path === "string" ? changeOf(path, before ?? undefined, after) : undefined;
    }),
  );
}

/** Undefined if a change is, or if there is too much to compare. */
function diffsOf(changes: readonly (Change | undefined)[]): readonly FileDiff[] | undefined {
  const known = changes.filter((change) => change !== undefined);
  const size = known.reduce((total, { before = "", after }) => total + before.length + after.length, 0);
  if (known.length < changes.length || known.length === 0 || (known.length > 1 && size > MAX_COMPARED))
    return undefined;
  // The limit is for all of them together.
  const maxPairs = MAX_PAIRS / known.length;
  return known.map(({ path, before, after }) => {
    return { ...diffTexts(before ?? "", after, { isWhole: before === undefined, maxPairs }), path };
  });
}

function changeOf(path: string, before: unknown, after: unknown): Change | undefined {
  if (typeof after !== "string") return undefined;
  if (before === undefined) return { path, after };
  return typeof before === "string" ? { path, before, after } : undefined;
}

function patchOf(card: DiffCard, fields: CallFields): readonly FileDiff[] | undefined {
  const patch = fields.text(card.patch);
  const files = patch === undefined ? [] : readPatch(patch);
  return files.length > 0 ? files : undefined;
}

/** Several replacements in one file. */
function editsOf(card: DiffCard, fields: CallFields): readonly FileDiff[] | undefined {
  const { edits, before = "", after = "" } = card;
  const list = fields.list(edits, (edit) =>
    isObject(edit) ? changeOf("", edit[before] ?? null, edit[after]) : undefined,
  );
  const diffs = list && diffsOf(list);
  return diffs && [joined(diffs)];
}

function joined(diffs: readonly FileDiff[]): FileDiff {
  const gap = { kind: "gap", text: "" } as const;
  const lines = diffs.flatMap((diff, index) => (index === 0 ? diff.lines : [gap, ...diff.lines]));
  return {
    path: "",
    lines,
    omitted: sum(diffs, "omitted"),
    added: sum(diffs, "added"),
    removed: sum(diffs, "removed"),
  };
}

function sum(diffs: readonly FileDiff[], field: "omitted" | "added" | "removed"): number {
  return diffs.reduce((total, diff) => total + diff[field], 0);
}

function replacementOf(card: DiffCard, fields: CallFields): readonly FileDiff[] | undefined {
  const [before, after] = [fields.text(card.before), fields.text(card.after)];
  return diffsOf([changeOf("", card.before === undefined ? undefined : (before ?? null), after)]);
}
