import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { outputOf } from "../src/core/result.ts";
import { sandbox } from "./support/fixture.ts";
import { open } from "./support/toolbox.ts";

/** Shorter than the time after which a silent host is replaced. */
const LIMIT_MS = 600;

const LOOPS = 'export default { description: "Blocks its process.", execute() { for (;;); } };';
const PLAIN = 'export default { description: "Answers.", execute: () => "here" };';
const DECLARED = `export default {
  description: "Answers.",
  access: () => [{ kind: "execute", target: "true" }],
  execute: () => "here",
};`;
const HOOK = 'export default (pi) => pi.on("tool_call", () => {});';
const HANGS = `import { tool } from "toolwright";
export default tool({
  description: "Hangs.",
  args: { id: tool.schema.string().default("").refine(() => new Promise(() => {})) },
  access: () => [{ kind: "execute", target: "true" }],
  execute: () => "",
});`;
const BLOCKS = 'export default { description: "Blocks.", access() { for (;;); }, execute: () => "" };';

const WAITS: readonly (readonly [what: string, files: Record<string, string>])[] = [
  ["a plain tool", { "neighbour.ts": PLAIN }],
  ["a tool that declares what it touches", { "neighbour.ts": DECLARED }],
  ["a tool whose calls a hook sees first", { "neighbour.ts": PLAIN, "hook.ts": HOOK }],
];

it.each(WAITS)("[P4] [P5] %s does not time out because another tool blocks their process", async (_, files) => {
  const at = sandbox({ "loops.ts": LOOPS, ...files });
  const { toolbox } = await open(at);
  const call = (name: string) => toolbox.call({ name, timeoutMs: name === "loops" ? 5_000 : LIMIT_MS });
  expect(outputOf(await call("neighbour").result)).toBe("here");
  const loop = call("loops");
  const beside = call("neighbour");
  await sleep(20);
  const behind = call("neighbour");
  expect(outputOf(await beside.result)).toBe("here");
  expect(outputOf(await behind.result)).toBe("here");
  loop.abort();
  expect(await loop.result).toMatchObject({ ok: false, error: { code: "aborted" } });
});

it.each([
  ["hangs", HANGS, "timeout"],
  ["blocks", BLOCKS, "timeout"],
])(
  "[P4] a tool that %s before it runs, while its input is checked, ends at its limit all the same",
  async (name, text, code) => {
    const { toolbox } = await open({ [`${name}.ts`]: text });
    expect(await toolbox.call({ name, timeoutMs: LIMIT_MS }).result).toMatchObject({ ok: false, error: { code } });
  },
);
