import { readFile } from "node:fs/promises";
import { withFileMutationQueue } from "../../platform/files/file-queue.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { Type } from "./lazy-typebox.ts";
import {
  type Execution,
  type PiResult,
  type PiTool,
  pathFor,
  piTool,
  type Ran,
  resolvePiPath,
  textResult,
  throwIfAborted,
} from "./pi-tool.ts";
import { generateDiffString, generateUnifiedPatch, toDisplayDiff } from "./text-diff.ts";

/** Reads and writes files for the tool `edit` of pi. */
export interface EditOperations {
  readFile(path: string): Promise<Buffer>;
  writeFile(path: string, content: string): Promise<void>;
  access(path: string): Promise<void>;
}

interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

interface EditParameters {
  readonly path: string;
  readonly edits: readonly Edit[];
}

export function createEditTool(cwd?: string, options: { readonly operations?: EditOperations } = {}): PiTool {
  return piTool<EditParameters>(cwd, {
    name: "edit",
    description:
      "Edit a single file using exact text replacement. Every edits[].oldText must match a unique, non-overlapping region of the original file. If two changes affect the same block or nearby lines, merge them into one edit instead of emitting overlapping edits.",
    promptSnippet: "Make precise file edits with exact text replacement",
    parameters: Type.Object({
      path: Type.String({ description: "Path to the file to edit (relative or absolute)" }),
      edits: Type.Array(
        Type.Object({
          oldText: Type.String({ description: "Exact text to replace. It must be unique in the original file." }),
          newText: Type.String({ description: "The text that takes its place." }),
        }),
        { description: "One or more replacements. Each is matched against the original file, not incrementally." },
      ),
    }),
    shown: "path",
    prepareArguments,
    execute: async (params, execution) => {
      // Wrappers may pass the arguments of older versions on.
      const { path, edits } = prepareArguments(params) as EditParameters;
      if (!Array.isArray(edits) || edits.length === 0) {
        throw new Error("Edit tool input is invalid. edits must contain at least one replacement.");
      }
      const details = options.operations
        ? await editOver(options.operations, { path, edits }, execution)
        : await editBuiltin({ path, edits }, execution);
      return textResult(`Successfully replaced ${edits.length} block(s) in ${path}.`, details);
    },
  });
}

export const createEditToolDefinition: typeof createEditTool = createEditTool;

/** Accepts one edit in place of a list, a list as JSON text, and the arguments of older versions. */
function prepareArguments(args: unknown): unknown {
  if (!isObject(args)) return args;
  const { oldText, newText, ...rest } = args;
  const edits = listOf(rest.edits);
  if (typeof oldText !== "string" || typeof newText !== "string") return edits ? { ...rest, edits } : args;
  return { ...rest, edits: [...(edits ?? []), { oldText, newText }] };
}

function listOf(edits: unknown): unknown[] | undefined {
  if (Array.isArray(edits)) return edits;
  if (isObject(edits)) return [edits];
  if (typeof edits !== "string") return undefined;
  try {
    return listOf(JSON.parse(edits));
  } catch {
    return undefined;
  }
}

/** The built-in tool replaces one text. Several edits are one replacement, from the first to the last of them. */
async function editBuiltin({ path, edits }: EditParameters, execution: Execution): Promise<PiResult["details"]> {
  const filePath = pathFor(path, execution);
  const replace = async ({ oldText, newText }: Edit): Promise<Ran> =>
    execution.run("edit", { filePath, oldString: oldText, newString: newText }).catch(inTermsOfPi);
  const [only] = edits;
  if (only && edits.length === 1) return diffDetails([await replace(only)]);
  // Reports nothing of the content: the built-in tool decides first whether the file may be touched.
  const content = await readFile(resolvePiPath(path, execution.cwd), "utf8").catch(() => "");
  const joined = joinEdits(content, edits);
  if (joined) return diffDetails([await replace(joined)]);
  // One of them fails most likely. It comes first, so that nothing is changed, and the built-in tool says why.
  const results: Ran[] = [];
  for (const edit of edits.toSorted(
    (one, other) => Number(isUnique(one, content)) - Number(isUnique(other, content)),
  )) {
    results.push(
      await replace(edit).catch((error: unknown) => Promise.reject(named(error, edits.indexOf(edit), results.length))),
    );
  }
  return diffDetails(results);
}

/** The built-in tool names its own arguments. */
function inTermsOfPi(error: unknown): never {
  if (error instanceof Error) {
    error.message = error.message.replaceAll("oldString", "oldText").replaceAll("newString", "newText");
  }
  throw error;
}

function named(error: unknown, index: number, applied: number): unknown {
  if (!(error instanceof Error)) return error;
  const others = applied === 0 ? "" : ` ${applied} other ${applied === 1 ? "edit was" : "edits were"} applied.`;
  error.message = `edits[${index}]: ${error.message}${others}`;
  return error;
}

function isUnique({ oldText }: Edit, content: string): boolean {
  const at = oldText === "" ? -1 : content.indexOf(oldText);
  return at >= 0 && content.indexOf(oldText, at + 1) < 0;
}

/** Undefined if an edit does not match exactly once, or two overlap. */
function joinEdits(content: string, edits: readonly Edit[]): Edit | undefined {
  if (content.includes("\r") || content.includes("\uFFFD")) return undefined;
  const spans = locate(content, edits);
  const [first] = spans ?? [];
  const last = spans?.at(-1);
  if (!spans || !first || !last) return undefined;
  let newText = "";
  let at = first.start;
  for (const span of spans) {
    newText += content.slice(at, span.start) + span.newText;
    at = span.end;
  }
  return { oldText: content.slice(first.start, last.end), newText };
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Where the edits apply, in order. Undefined if one does not match exactly once, or two overlap. */
function locate(content: string, edits: readonly Edit[]): Span[] | undefined {
  if (!edits.every((edit) => isUnique(edit, content))) return undefined;
  const spans = edits.map(({ oldText, newText }) => {
    const start = content.indexOf(oldText);
    return { start, end: start + oldText.length, newText };
  });
  spans.sort((one, other) => one.start - other.start);
  return spans.every(({ start }, at) => start >= (spans[at - 1]?.end ?? 0)) ? spans : undefined;
}

function diffDetails(results: readonly Ran[]): PiResult["details"] {
  const patches = results.flatMap(({ data }) => {
    const { diff } = Object(data) as { diff?: unknown };
    return typeof diff === "string" ? [diff] : [];
  });
  const patch = patches.join("");
  const shown = patches.map(toDisplayDiff);
  return { diff: shown.map(({ diff }) => diff).join("\n"), patch, firstChangedLine: shown[0]?.firstChangedLine };
}

/** Edits a file with operations of the author. No built-in tool is called. */
async function editOver(
  operations: EditOperations,
  { path, edits }: EditParameters,
  { cwd, signal }: Execution,
): Promise<PiResult["details"]> {
  const absolute = resolvePiPath(path, cwd);
  return withFileMutationQueue(absolute, async () => {
    throwIfAborted(signal);
    await operations.access(absolute).catch((error: { code?: unknown }) => {
      throw new Error(
        `Could not edit file: ${path}. ${error.code === undefined ? error : `Error code: ${error.code}`}.`,
      );
    });
    const whole = Buffer.from(await operations.readFile(absolute)).toString("utf8");
    const bom = whole.startsWith("\uFEFF") ? "\uFEFF" : "";
    const isCrlf = whole.includes("\r\n");
    const before = whole.slice(bom.length).replaceAll("\r\n", "\n");
    const spans = locate(before, edits.map(withLineFeeds));
    if (!spans) throw explainMiss(before, edits.map(withLineFeeds), path);
    const after = spans
      .toReversed()
      .reduce((content, { start, end, newText }) => content.slice(0, start) + newText + content.slice(end), before);
    throwIfAborted(signal);
    await operations.writeFile(absolute, bom + (isCrlf ? after.replaceAll("\n", "\r\n") : after));
    return { ...generateDiffString(before, after), patch: generateUnifiedPatch(path, before, after) };
  });
}

function withLineFeeds({ oldText, newText }: Edit): Edit {
  return { oldText: oldText.replaceAll("\r\n", "\n"), newText: newText.replaceAll("\r\n", "\n") };
}

function explainMiss(content: string, edits: readonly Edit[], path: string): Error {
  for (const [index, { oldText }] of edits.entries()) {
    if (oldText === "") return new Error(`edits[${index}].oldText must not be empty in ${path}.`);
    const count = content.split(oldText).length - 1;
    if (count === 0) {
      return new Error(
        `Could not find edits[${index}] in ${path}. The oldText must match exactly including all whitespace and newlines.`,
      );
    }
    if (count > 1) {
      return new Error(
        `Found ${count} occurrences of edits[${index}] in ${path}. Each oldText must be unique. Please provide more context to make it unique.`,
      );
    }
  }
  return new Error(`Two of the edits overlap in ${path}. Merge them into one edit or target disjoint regions.`);
}
