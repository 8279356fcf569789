import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Tool } from "../../src/core/tool.ts";
import type { Contributions } from "../../src/host/formats/contributions.ts";
import { readSdkServer } from "../../src/host/formats/frameworks/sdk-server.ts";
import { callContext, exportAt } from "../support/forms.ts";
import { installed, MODULES } from "../support/installed.ts";

const missing = await installed("frameworks");

type Handler = (args: { name: string; times: number }, extra: { signal: AbortSignal }) => unknown;

/** A server of the real SDK with one tool. */
async function serve(handler: Handler, name = "greet"): Promise<Contributions> {
  const sdk = await import(pathToFileURL(join(MODULES.frameworks, "@anthropic-ai/claude-agent-sdk/sdk.mjs")).href);
  const schema = { name: z.string().describe("Whom"), times: z.number().default(2) };
  const tool = sdk.tool(name, "Greets.", schema, handler, { annotations: { readOnlyHint: true } });
  return readSdkServer(
    sdk.createSdkMcpServer({ name: "greetings", tools: [tool] }),
    exportAt({ exportName: "server" }),
  );
}

const hello: Handler = ({ name, times }) => ({ content: [{ type: "text", text: `Hello ${name} `.repeat(times) }] });

describe.skipIf(missing)("a server of the Claude Agent SDK", () => {
  it("[A13] serves its tools under their own names, with their declarations", async () => {
    const { tools, problems, about } = await serve(hello);
    expect(problems).toEqual([]);
    expect(about).toEqual({ format: "sdk", why: "it is one", unsupportedFeatures: [] });
    expect(tools).toMatchObject([
      {
        name: "greet",
        description: "Greets.",
        hints: { readOnly: true },
        origin: { format: "sdk", exportName: "server.greet" },
        input: { json: { type: "object", properties: { name: { description: "Whom" } }, required: ["name"] } },
      },
    ]);
  });

  it("[A13] is called with the input as parsed by its schema", async () => {
    const [tool] = (await serve(hello)).tools as [Tool];
    expect(await tool.run({ name: "Ada" }, callContext())).toMatchObject({
      content: [{ type: "text", text: "Hello Ada Hello Ada " }],
    });
  });

  it("[P4] receives the cancellation of a call", async () => {
    const controller = new AbortController();
    const stopped = Promise.withResolvers<void>();
    const [tool] = (
      await serve(async (_, { signal }) => {
        signal.addEventListener("abort", () => stopped.resolve());
        controller.abort();
        await stopped.promise;
      })
    ).tools as [Tool];
    await expect(tool.run({ name: "Ada" }, callContext({ abort: controller.signal }))).rejects.toThrow();
    await stopped.promise;
  });

  it("[A2] reports an invalid name as a problem, and the message of a tool that throws", async () => {
    expect((await serve(hello, "greet.all")).problems).toMatchObject([{ code: "bad_name", exportName: "server" }]);
    const [tool] = (
      await serve(() => {
        throw new Error("no such person");
      })
    ).tools as [Tool];
    expect(await tool.run({ name: "Ada" }, callContext())).toMatchObject({
      isError: true,
      content: [{ type: "text", text: "no such person" }],
    });
  });
});
