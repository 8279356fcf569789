import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { outputOf } from "../../src/core/result.ts";
import { project, sandbox } from "../support/fixture.ts";
import { connect } from "../support/mcp-client.ts";
import { open } from "../support/toolbox.ts";

/** Shorter than the time after which a silent host is replaced. */
const LIMIT_MS = 600;

const LOOPS = 'export default { description: "Blocks its process.", execute() { for (;;); } };';
const PLAIN = 'export default { description: "Answers.", execute: () => "here" };';
const DECLARED = `export default {
  description: "Answers.",
  access: () => [{ kind: "execute", target: "true" }],
  execute: () => "here",
};`;
const HOOK = 'import type { ExtensionAPI } from "toolwright"; export default (pi) => pi.on("tool_call", () => {});';
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
  ["a tool that declares its access", { "neighbour.ts": DECLARED }],
  ["a tool with a hook", { "neighbour.ts": PLAIN, "hook.ts": HOOK }],
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
  "[P4] a tool that %s before it runs, while its input is validated, ends at its timeout",
  async (name, text, code) => {
    const { toolbox } = await open({ [`${name}.ts`]: text });
    expect(await toolbox.call({ name, timeoutMs: LIMIT_MS }).result).toMatchObject({ ok: false, error: { code } });
  },
);

it("[P4] the first call of an MCP client does not wait for an extension that handles the session start slowly", async () => {
  // The first session_start arrives when the file is loaded, so the handler delays the second.
  const slow = `import { writeFileSync } from "node:fs"; import type { ExtensionAPI } from "toolwright";
    export default (pi) => {
      let sessions = 0;
      pi.on("session_start", async (event, { cwd }) => {
        sessions += 1;
        if (sessions === 1) return;
        await new Promise((resolve) => setTimeout(resolve, 8_000));
        writeFileSync(cwd + "/told", "");
      });
    };`;
  const at = project({ ".pi/extensions/slow.ts": slow, ".toolwright/tools/neighbour.ts": PLAIN });
  const { client } = await connect(at, "2025-11-25");
  expect(await client.callTool({ name: "neighbour" })).toMatchObject({ content: [{ text: "here" }] });
  expect(existsSync(join(at.project, "told"))).toBe(false);
});

it.each([
  ["ends its process", "process.exit(0);"],
  ["blocks its process", "for (;;);"],
  ["uses up the memory of its process", "const all = []; for (;;) all.push(Buffer.alloc(1e7, 1));"],
])("[P5] [D5] a call is not affected by a file that %s while it is imported", async (_, harm) => {
  const bad = `await new Promise((resolve) => setTimeout(resolve, 700)); ${harm} export default {};`;
  const slow =
    'export default { description: "Slow.", execute: () => new Promise((done) => setTimeout(done, 2_000, "here")) };';
  const at = sandbox({ "bad.ts": bad, "slow.ts": slow });
  const { toolbox, say } = await open(at, { waitMs: 100, limits: { importMs: 3_000, memoryMb: 300 } });
  expect(await say("slow")).toBe("here");
  await expect.poll(() => toolbox.status.loading, { timeout: 20_000 }).toEqual([]);
  expect(toolbox.problems()).toMatchObject([{ file: join(at.tools, "bad.ts") }]);
  expect(await say("slow")).toBe("here");
});
