import { type Answer, type Item, piecesOf, type Reply, type Wire, writeEvents, writeJson } from "./wire.ts";

interface Body {
  readonly tools?: readonly { functionDeclarations?: readonly Declaration[] }[];
  readonly contents: readonly { role?: string; parts?: readonly Part[] }[];
}

interface Declaration {
  readonly name: string;
  readonly description?: string;
  readonly parametersJsonSchema?: unknown;
  readonly parameters?: unknown;
}

interface Part {
  readonly text?: string;
  readonly functionResponse?: { readonly id?: string; readonly response: Told };
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
  items: (body) =>
    (body as Body).contents.filter(({ role }) => role !== "model").flatMap(({ parts = [] }) => parts.flatMap(toItems)),
  pictures: (body) =>
    (body as Body).contents.flatMap(({ parts = [] }) => parts.flatMap(({ inlineData }) => inlineData?.data ?? [])),
  speak: (reply, { path }, response) => {
    if (path.includes(":stream")) writeEvents(response, toChunks(reply));
    else writeJson(response, toResponse(toParts(reply), true));
  },
};

function toItems({ text, functionResponse }: Part): Item[] {
  if (text !== undefined) return [{ user: text }];
  if (!functionResponse) return [];
  const { id, response } = functionResponse;
  return [{ answer: toAnswer(response), ...(id ? { callID: id } : {}) }];
}

function toAnswer({ output, error }: Told): Answer {
  return error === undefined ? { text: output ?? "" } : { text: error, failed: true };
}

function toParts({ text, calls }: Reply): object[] {
  return [
    ...(text === undefined ? [] : piecesOf(text).map((piece) => ({ text: piece }))),
    ...calls.map(({ id, call, input }) => ({ functionCall: { id, name: call, args: input } })),
  ];
}

/** One chunk for each piece of the text, then one with all calls. */
function toChunks(reply: Reply): object[] {
  const texts = toParts({ ...reply, calls: [] });
  const calls = toParts({ calls: reply.calls });
  const chunks = [...texts.map((part) => [part]), ...(calls.length > 0 ? [calls] : [])];
  return chunks.map((parts, index) => toResponse(parts, index === chunks.length - 1));
}

function toResponse(parts: readonly object[], isLast: boolean): object {
  const content = { role: "model", parts };
  const candidate = { index: 0, content, ...(isLast ? { finishReason: "STOP" } : {}) };
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
  return { candidates: [candidate], usageMetadata, modelVersion: "scripted" };
}
