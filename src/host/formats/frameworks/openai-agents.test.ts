import { describe, expect, it } from "vitest";
import { callContext, exportAt } from "../../../../test/support/forms.ts";
import { readAgentsTool } from "./openai-agents.ts";

const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const base = { type: "function", name: "weather", description: "Tells", parameters };

async function answered(output: unknown): Promise<unknown> {
  return (await readAgentsTool({ ...base, invoke: () => output }, exportAt())).run({}, callContext());
}

describe("tools of the OpenAI Agents SDK", () => {
  it("[A13] get the input as JSON, and the context of the call", async () => {
    const context = callContext();
    const tool = await readAgentsTool({ ...base, invoke: (...given) => given }, exportAt());
    expect(tool).toMatchObject({
      name: "weather",
      description: "Tells",
      input: { json: parameters },
      origin: { format: "openai-agents" },
    });
    expect(await tool.run({ city: "Rome" }, context)).toMatchObject([
      { context: { sessionID: "s1", directory: "/p/app" }, usage: { requests: 0 } },
      '{"city":"Rome"}',
      { signal: context.author.abort, toolCall: { callId: "c1", name: "weather", arguments: '{"city":"Rome"}' } },
    ]);
  });

  it("[P3] that need approval ask first", async () => {
    const context = callContext();
    const tool = await readAgentsTool({ ...base, needsApproval: async () => true, invoke: () => 1 }, exportAt());
    await tool.run({}, context);
    expect(context.asked).toMatchObject([{ permission: "weather" }]);
  });

  it("[P3] that are disabled refuse the call", async () => {
    const tool = await readAgentsTool({ ...base, isEnabled: async () => false, invoke: () => 1 }, exportAt());
    await expect(tool.run({}, callContext())).rejects.toMatchObject({
      code: "denied",
      message: '"weather" is disabled by its isEnabled.',
    });
  });

  it.each([
    ["plain", "plain"],
    [{ sunny: true }, { sunny: true }],
    [
      [1, 2],
      [1, 2],
    ],
    [{ type: "text", text: "x" }, { content: [{ type: "text", text: "x" }] }],
    [
      { type: "image", image: "data:image/png;base64,AA" },
      { content: [{ type: "file", url: "data:image/png;base64,AA" }] },
    ],
    [{ type: "image", image: "AAAA" }, { content: [{ type: "file", mimeType: "image/png", data: "AAAA" }] }],
    [
      { type: "image", image: { data: "AA", mediaType: "image/gif" } },
      { content: [{ type: "file", mimeType: "image/gif", data: "AA" }] },
    ],
    [
      [
        { type: "text", text: "x" },
        { type: "file", file: { data: "AA", mediaType: "application/pdf", filename: "a.pdf" } },
      ],
      {
        content: [
          { type: "text", text: "x" },
          { type: "file", mimeType: "application/pdf", filename: "a.pdf", data: "AA" },
        ],
      },
    ],
    [{ type: "file", file: { id: "f1" } }, { content: [{ type: "text", text: '{"type":"file","file":{"id":"f1"}}' }] }],
  ])("[A13] return %o", async (output, expected) => {
    expect(await answered(output)).toEqual(expected);
  });
});
