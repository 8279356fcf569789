import { ToolError } from "../../core/error.ts";
import { realPath } from "../../platform/files/real-path.ts";
import { causesOf, textOfThrown } from "../../platform/text/thrown-text.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import type { SourcePlace, ThrownPlaces } from "../loader/thrown-place.ts";
import type { HostResult } from "../protocol/messages.ts";
import { bunNeedOf, UNRESOLVED } from "../protocol/source-problem.ts";

/** Why a tool failed: a message for the model, and for people where it threw. */
type ExplainedThrow = { readonly message: string } & Pick<HostResult & { ok: false }, "thrownAt" | "causes">;

/**
 * Explains what a tool threw. Its message is not changed, unless there is none, or it is that of a bug in the tool. `entry` is
 * the path of the tool file; undefined for tools that are not loaded from a file.
 */
export async function explainThrown(error: unknown, entry: string | undefined): Promise<ExplainedThrow> {
  if (ToolError.is(error)) return { message: error.message };
  const places = entry === undefined ? undefined : await placesIn(error, entry);
  const causes = causesOf(error);
  const failedImport = entry === undefined || !isUnresolved(error) ? undefined : await importText(error, entry);
  return {
    message: failedImport ?? messageFor(error, places, entry),
    ...(places ? { thrownAt: placeText(places.place) } : {}),
    ...(causes.length > 0 ? { causes } : {}),
  };
}

function messageFor(error: unknown, places: ThrownPlaces | undefined, entry: string | undefined): string {
  const { text, isEmpty } = textOfThrown(error);
  if (isEmpty) {
    const where = places ? ` in ${lineText(places.place)}` : entry === undefined ? "" : ` in ${entry}`;
    return `The tool threw ${text}${where}. This is a bug in the tool: throw an Error whose message says what went wrong.`;
  }
  if (!places?.isTop || !isBug(error) || bunNeedOf(error)) return text;
  return `${text.replace(/\.$/, "")}. This is a bug in the tool. Fix it in ${lineText(places.place)}.`;
}

function isUnresolved(error: unknown): boolean {
  return tryOrUndefined(() => error instanceof Error && UNRESOLVED in error) === true;
}

async function importText(error: unknown, entry: string): Promise<string | undefined> {
  const { explainFailedImport } = await import("../loader/explain-error.ts");
  return explainFailedImport(realPath(entry) ?? entry, error);
}

/** Loaded on demand: most calls do not fail. */
async function placesIn(error: unknown, entry: string): Promise<ThrownPlaces | undefined> {
  const { placesOf } = await import("../loader/thrown-place.ts");
  return placesOf(error, realPath(entry) ?? entry);
}

function lineText({ file, line }: SourcePlace): string {
  return `${file}:${line}`;
}

function placeText({ file, line, column }: SourcePlace): string {
  return `${file}:${line}:${column}`;
}

/** Errors that the engine throws for wrong code, in the words of V8 and of JavaScriptCore. Authors throw these classes too. */
function isBug(error: unknown): boolean {
  if (error instanceof ReferenceError) return true;
  return (error instanceof TypeError || error instanceof RangeError) && ENGINE_MESSAGE.test(error.message);
}

const ENGINE_MESSAGE = new RegExp(
  [
    / is not (?:a function|a constructor|iterable|async iterable)\b/,
    /^Cannot (?:read|set) propert(?:y|ies) (?:of|')/,
    /^Cannot (?:destructure property|convert undefined or null to object|add property|assign to read only|redefine)/,
    /^(?:undefined|null) is not (?:an object|a function)/,
    /^Assignment to constant variable/,
    /^Attempted to assign to readonly property/,
    /^(?:Class constructor .* cannot be invoked without 'new'|Cannot call a class constructor)/,
    /^Maximum call stack size exceeded/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
