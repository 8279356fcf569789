import { describe, expect, it } from "vitest";
import type { DialogAnswer, DialogRequest } from "../../../core/coding-agent.ts";
import { AgentDialogs } from "../agent-dialogs.ts";
import { elicit } from "./acp-elicitation.ts";

async function ask(
  params: Record<string, unknown>,
  ...answers: readonly DialogAnswer[]
): Promise<{ result: object; asked: readonly Partial<DialogRequest>[] }> {
  const asked: Partial<DialogRequest>[] = [];
  const left = [...answers];
  const dialogs = new AgentDialogs(
    async ({ title, dialog }) => {
      asked.push({ title, dialog });
      return left.shift() ?? { kind: "unasked", reason: "No one." };
    },
    { callID: "c", tool: "elicitation", input: {} },
  );
  return { result: await elicit(params, dialogs, new AbortController().signal), asked };
}

const yes: DialogAnswer = { kind: "answered", value: true };
const NOT_AN_ADDRESS = 'The form was not shown: "url" must be an http or https address of at most 2000 characters.';

describe("[G9] an address that an agent asks to open", () => {
  it.each<[string, unknown, string, string]>([
    ["is named with its host", "https://example.com/login?a=1", "https://example.com/login?a=1", "example.com"],
    ["shows the encoded host", "https://ex\u0430mple.com/", "https://xn--exmple-4nf.com/", "xn--exmple-4nf.com"],
    [
      "shows the host after a misleading path",
      "http://evil.example:81/@bank.example",
      "http://evil.example:81/@bank.example",
      "evil.example:81",
    ],
  ])("%s", async (_, url, href, host) => {
    const { result, asked } = await ask({ mode: "url", message: "Sign in", url, elicitationId: "e" }, yes);
    expect(result).toEqual({ action: "accept" });
    const message = `Address: ${href}\nIt belongs to ${host}. Open it yourself if you trust that, and answer yes when you are done.`;
    expect(asked).toEqual([{ title: "Sign in", dialog: { kind: "dialog", method: "confirm", message } }]);
  });

  it("is declined by a no", async () => {
    const { result } = await ask({ mode: "url", url: "https://example.com" }, { kind: "answered", value: false });
    expect(result).toEqual({ action: "decline" });
  });

  it.each<[unknown, string]>([
    [undefined, NOT_AN_ADDRESS],
    [7, NOT_AN_ADDRESS],
    ["example.com", NOT_AN_ADDRESS],
    ["javascript:alert(1)", NOT_AN_ADDRESS],
    ["file:///etc/passwd", NOT_AN_ADDRESS],
    [`https://example.com/${"x".repeat(2_000)}`, NOT_AN_ADDRESS],
    ["https://bank.example@evil.example/", 'The form was not shown: "url" must not contain a user name.'],
  ])("is refused if it is %j", async (url, refused) => {
    expect(await ask({ mode: "url", message: "Sign in", url }, yes)).toEqual({ result: { refused }, asked: [] });
  });
});

it("[G9] asks again for a number, and says why above the question", async () => {
  const requestedSchema = { properties: { n: { type: "integer" } }, required: ["n"] };
  const answers = ["x", "3"].map((value): DialogAnswer => ({ kind: "answered", value }));
  const { result, asked } = await ask({ mode: "form", message: "How many?", requestedSchema }, ...answers);
  expect(result).toEqual({ action: "accept", content: { n: 3 } });
  expect(asked.map(({ title }) => title)).toEqual(["How many?\nn", "x is not an integer.\nHow many?\nn"]);
});
