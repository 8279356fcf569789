/**
 * Stands in for `xmcp/headers`, which works only in a request of xmcp's HTTP server, and for `xmcp` if it is not installed.
 */
export { unavailable } from "../pi/stand-in.ts";

/** The headers of the request. A call in Toolwright has none. */
export function headers(): Record<string, string> {
  return {};
}

/** The answers of the user to the questions of an earlier result, by the names of the questions. */
export type InputResponses = Readonly<Record<string, { readonly action?: string; readonly content?: unknown }>>;

/** A result that asks the user. The tool is called again with the answers. */
export interface InputRequired {
  readonly inputRequests?: Readonly<Record<string, { readonly method: string; readonly params: unknown }>>;
  readonly requestState?: unknown;
}

interface AskForInput {
  (asked: InputRequired): InputRequired & { readonly resultType: "input_required" };
  elicit(params: object): object;
}

export const inputRequired: AskForInput = Object.assign(
  (asked: InputRequired) => ({ ...asked, resultType: "input_required" as const }),
  { elicit: (params: object) => ({ method: "elicitation/create", params: { mode: "form", ...params } }) },
);

/** The content of an answer that the user has accepted. */
export function acceptedContent(responses: InputResponses | undefined, key: string): unknown {
  const response = responses?.[key];
  return response?.action === "accept" ? response.content : undefined;
}

export function isInputRequiredResult(value: unknown): value is InputRequired {
  return typeof value === "object" && value !== null && "resultType" in value && value.resultType === "input_required";
}

/** Completions of arguments are not used. */
export function completable<Schema>(schema: Schema): Schema {
  return schema;
}
