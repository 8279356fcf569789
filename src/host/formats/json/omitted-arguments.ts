/** An argument with a placeholder that was not sent, and the effect: "was left out of the command". */
export interface OmittedArgument {
  readonly name: string;
  readonly effect: string;
}

/** What a model reads about arguments that were not sent, as sentences. Empty if there are none. */
export function omittedNote(omitted: readonly OmittedArgument[]): string {
  return omitted.map(({ name, effect }) => `"${name}" was not sent and ${effect}.`).join(" ");
}

/** The names of arguments that were not sent, for the data of a result. */
export function omittedData(omitted: readonly OmittedArgument[]): { readonly omitted?: readonly string[] } {
  return omitted.length === 0 ? {} : { omitted: [...new Set(omitted.map(({ name }) => name))] };
}
