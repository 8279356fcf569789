import { readFile } from "node:fs/promises";
import { ToolError } from "../../core/error.ts";
import { withFileMutationQueue } from "../../platform/files/file-queue.ts";
import { decode, encodingOf } from "../../platform/text/encoding.ts";
import { type Replacement, replaceSpans, withLineFeeds } from "../../platform/text/line-breaks.ts";
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

/** The built-in tool replaces one text. Several edits are one replacement, from the first to the last of them, or none is made. */
async function editBuiltin({ path, edits }: EditParameters, execution: Execution): Promise<PiResult["details"]> {
  const filePath = pathFor(path, execution);
  const replace = async ({ oldText, newText }: Edit): Promise<Ran> =>
    execution.run("edit", { filePath, oldString: oldText, newString: newText }).catch(inTermsOfPi);
  const [only] = edits;
  if (only && edits.length === 1) return diffDetails(await replace(only));
  // Reports nothing of the content: the built-in tool decides first whether the file may be touched.
  const content = await textOf(resolvePiPath(path, execution.cwd));
  const plain = edits.map(plainEdit);
  const joined = joinEdits(content, plain);
  if (joined) return diffDetails(await replace(joined));
  const wrong = plain.findIndex((edit) => !isUnique(edit, content));
  // The built-in tool refuses it, and says why. Two edits that overlap would be valid each: one that changes nothing is refused too.
  const refused = wrong < 0 ? { oldText: plain[0]?.oldText ?? "", newText: plain[0]?.oldText ?? "" } : plain[wrong];
  await replace(refused as Edit).catch((error: unknown) => {
    if (wrong < 0 && ToolError.is(error) && error.code === "failed") throw overlap(path);
    throw wrong < 0 ? error : named(error, wrong);
  });
  throw new Error(`${path} was changed by another program. Only edits[${wrong}] was made. Read the file again.`);
}

/** The text as the built-in tool compares it. Empty if it cannot be read. */
async function textOf(path: string): Promise<string> {
  const bytes = await readFile(path).catch(() => undefined);
  const encoding = bytes && encodingOf(bytes);
  return encoding ? withLineFeeds(decode(bytes, encoding)) : "";
}

/** The built-in tool names its own arguments. */
function inTermsOfPi(error: unknown): never {
  if (error instanceof Error) {
    error.message = error.message.replaceAll("oldString", "oldText").replaceAll("newString", "newText");
  }
  throw error;
}

function named(error: unknown, index: number): unknown {
  if (error instanceof Error) error.message = `edits[${index}]: ${error.message}`;
  return error;
}

function isUnique({ oldText }: Edit, content: string): boolean {
  const at = oldText === "" ? -1 : content.indexOf(oldText);
  return at >= 0 && content.indexOf(oldText, at + oldText.length) < 0;
}

/** Undefined if an edit does not match exactly once, or two overlap. */
function joinEdits(content: string, edits: readonly Edit[]): Edit | undefined {
  const spans = locate(content, edits);
  const [first] = spans ?? [];
  const last = spans?.at(-1);
  if (!spans || !first || !last) return undefined;
  const within = spans.map(({ start, end, text }) => ({ start: start - first.start, end: end - first.start, text }));
  const oldText = content.slice(first.start, last.end);
  return { oldText, newText: replaceSpans(oldText, within) };
}

/** Where the edits apply, in order. Undefined if one does not match exactly once, or two overlap. */
function locate(content: string, edits: readonly Edit[]): Replacement[] | undefined {
  if (!edits.every((edit) => isUnique(edit, content))) return undefined;
  const spans = edits.map(({ oldText, newText }) => {
    const start = content.indexOf(oldText);
    return { start, end: start + oldText.length, text: newText };
  });
  spans.sort((one, other) => one.start - other.start);
  return spans.every(({ start }, at) => start >= (spans[at - 1]?.end ?? 0)) ? spans : undefined;
}

function diffDetails({ data }: Ran): PiResult["details"] {
  const { diff } = Object(data) as { diff?: unknown };
  const patch = typeof diff === "string" ? diff : "";
  const shown = patch === "" ? undefined : toDisplayDiff(patch);
  return { diff: shown?.diff ?? "", patch, firstChangedLine: shown?.firstChangedLine };
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
    const bytes = Buffer.from(await operations.readFile(absolute));
    const whole = bytes.toString("utf8");
    if (!Buffer.from(whole).equals(bytes)) {
      throw new Error(`Could not edit file: ${path}. It is not UTF-8, and would lose characters.`);
    }
    const bom = whole.startsWith("\uFEFF") ? "\uFEFF" : "";
    const original = whole.slice(bom.length);
    const before = withLineFeeds(original);
    const plain = edits.map(plainEdit);
    const spans = locate(before, plain);
    if (!spans) throw explainMiss(before, plain, path);
    const after = replaceSpans(original, spans);
    throwIfAborted(signal);
    await operations.writeFile(absolute, bom + after);
    const shown = withLineFeeds(after);
    return { ...generateDiffString(before, shown), patch: generateUnifiedPatch(path, before, shown) };
  });
}

/** With line feeds, and without a byte order mark: texts are compared in this form, and files keep theirs. */
function plainEdit({ oldText, newText }: Edit): Edit {
  const plain = (text: string): string => withLineFeeds(text.replace(/^\uFEFF/, ""));
  return { oldText: plain(oldText), newText: plain(newText) };
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
  return overlap(path);
}

function overlap(path: string): Error {
  return new Error(`Two of the edits overlap in ${path}. Merge them into one edit or target disjoint regions.`);
}
