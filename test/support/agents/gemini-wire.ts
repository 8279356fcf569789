import { type Answer, type Turn, type Wire, writeEvents, writeJson } from "./wire.ts";

interface Body {
  readonly tools?: readonly { functionDeclarations?: readonly Declaration[] }[];
  readonly contents: readonly { parts?: readonly Part[] }[];
}

interface Declaration {
  readonly name: string;
  readonly description?: string;
  readonly parametersJsonSchema?: unknown;
  readonly parameters?: unknown;
}

interface Part {
  readonly functionResponse?: { readonly response: Told };
  readonly inlineData?: { readonly data: string };
}

interface Told {
  readonly output?: string;
  readonly error?: string;
}

/** The generateContent API of Google. */
export const GEMINI: Wire = {
  path: /:(streamG|g)enerateContent$/,
  offered: (body) =>
    ((body as Body).tools ?? [])
      .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
      .map(({ name, description = "", parametersJsonSchema, parameters }) => ({
        name,
        description,
        schema: parametersJsonSchema ?? parameters,
      })),
  answers: (body) =>
    (body as Body).contents
      .flatMap(({ parts = [] }) => parts)
      .flatMap(({ functionResponse }) => (functionResponse ? [toAnswer(functionResponse.response)] : [])),
  pictures: (body) =>
    (body as Body).contents.flatMap(({ parts = [] }) => parts.flatMap(({ inlineData }) => inlineData?.data ?? [])),
  speak: (turn, { path }, response) => {
    const candidate = { index: 0, content: { role: "model", parts: [toPart(turn)] }, finishReason: "STOP" };
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
    const said = { candidates: [candidate], usageMetadata, modelVersion: "scripted" };
    if (path.includes(":stream")) writeEvents(response, [said]);
    else writeJson(response, said);
  },
};

function toAnswer({ output, error }: Told): Answer {
  return error === undefined ? { text: output ?? "" } : { text: error, failed: true };
}

function toPart(turn: Turn): object {
  return "say" in turn ? { text: turn.say } : { functionCall: { name: turn.call, args: turn.input } };
}
