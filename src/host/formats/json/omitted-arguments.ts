import type { CallLimits } from "../../../core/tool.ts";

/** An argument with a placeholder that was not sent, and the effect: "was left out of the command". */
export interface OmittedArgument {
  readonly name: string;
  readonly effect: string;
}

/** What a model reads about arguments that were not sent, as sentences. Empty if there are none. */
export function omittedNote(omitted: readonly OmittedArgument[]): string {
  return omitted.map(({ name, effect }) => `"${name}" was not sent and ${effect}.`).join(" ");
}

/** Joins an output and a note, with the note at the end that stays if the output is cut. */
export function withNote(
  output: string,
  note: string,
  limits: Pick<CallLimits, "maxLines" | "maxBytes" | "keep">,
): string {
  if (note === "") return output;
  if (output === "") return `[no output. ${note}]`;
  const last = `${output.replace(/\n$/, "")}\n[${note}]`;
  return limits.keep === "head" && !fits(last, limits) ? `[${note}]\n${output}` : last;
}

function fits(text: string, { maxLines, maxBytes }: Pick<CallLimits, "maxLines" | "maxBytes">): boolean {
  return Buffer.byteLength(text) <= maxBytes && text.split("\n", maxLines + 1).length <= maxLines;
}

/** The names of arguments that were not sent, for the data of a result. */
export function omittedData(omitted: readonly OmittedArgument[]): { readonly omitted?: readonly string[] } {
  return omitted.length === 0 ? {} : { omitted: [...new Set(omitted.map(({ name }) => name))] };
}
