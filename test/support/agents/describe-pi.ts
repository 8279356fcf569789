import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { put } from "../temporary.ts";
import type { Agent } from "./agent.ts";
import { withPiSession } from "./pi-session.ts";
import { FINAL_MESSAGE, withAgent } from "./prepared-agent.ts";

const TIMEOUT_MS = 120_000;

const STEPS = `export default {
  description: "Works in steps.",
  async execute(_, { metadata, abort, directory }) {
    metadata({ title: "Step 1 of 2" });
    await new Promise((resolve) => abort.addEventListener("abort", resolve));
    require("node:fs").writeFileSync(require("node:path").join(directory, "aborted.txt"), "");
    return "Stopped.";
  },
};
`;

const PUBLISH = 'export default { description: "Publishes the package.", execute: () => "Published." };\n';
const LATER = 'export default { description: "Was added later.", execute: () => "x" };\n';
const KILL =
  'export default { description: "Ends the server.", execute: () => process.kill(process.ppid, "SIGKILL") };\n';

const GREET = `export default (pi) => {
  pi.registerTool({
    name: "greet",
    label: "Greet",
    description: "Greets from an extension of pi.",
    parameters: { type: "object", properties: {} },
    loadMode: "essential",
    execute: async () => ({ content: [{ type: "text", text: "Hello." }], details: {} }),
  });
};
`;

/** Tests of the extension in pi and oh-my-pi. `rpcArgs` starts a session that is controlled by messages. */
export function describePi(agent: Agent, folder: string, rpcArgs: readonly string[]): void {
  it(
    "[M4] gets progress and cancels a call",
    () =>
      withPiSession(agent, { files: { "steps.ts": STEPS }, calls: [["steps", {}]] }, rpcArgs, async (pi) => {
        pi.send({ type: "prompt", message: "Work." });
        const { partialResult } = await pi.next(({ type }) => type === "tool_execution_update");
        expect(partialResult?.content).toEqual([{ type: "text", text: "Step 1 of 2" }]);
        pi.send({ type: "abort" });
        const { isError, result } = await pi.next(({ type }) => type === "tool_execution_end");
        expect([isError, result?.content[0]?.text]).toEqual([true, "The call was cancelled."]);
        await until(() => existsSync(join(pi.at.project, "aborted.txt")));
      }),
    TIMEOUT_MS,
  );

  it(
    "[M4] asks its user",
    () => {
      const settings = { permissions: [{ tool: "publish", action: "ask" }] };
      const scene = { files: { "publish.ts": PUBLISH }, settings, calls: [["publish", {}]] } as const;
      return withPiSession(agent, scene, rpcArgs, async (pi) => {
        pi.send({ type: "prompt", message: "Publish." });
        const { id, title, options } = await pi.next(({ method }) => method === "select");
        expect(title).toMatch(
          /^The tool "publish", which does not declare what it touches, needs approval [\s\S]*\nAllow it\?$/,
        );
        expect(options).toContain("once");
        pi.send({ type: "extension_ui_response", id, value: "once" });
        const { isError, result } = await pi.next(({ type }) => type === "tool_execution_end");
        expect([isError, result?.content[0]?.text]).toEqual([false, "Published."]);
      });
    },
    TIMEOUT_MS,
  );

  it(
    "[M4] follows tool files that are added, changed and deleted during a session",
    () =>
      withPiSession(agent, { calls: [] }, rpcArgs, async (pi) => {
        const file = join(pi.at.tools, "later.ts");
        const shown = async (fits: (description: string | undefined) => boolean): Promise<void> => {
          for (;;) {
            await pi.prompt();
            const later = pi.heard.at(-1)?.offered.find(({ name }) => name === "later");
            if (fits(later?.description)) return;
            await sleep(200);
          }
        };
        await shown((description) => description === undefined);
        writeFileSync(file, LATER);
        await shown((description) => description === "Was added later.");
        writeFileSync(file, LATER.replace("added", "changed"));
        await shown((description) => description === "Was changed later.");
        rmSync(file);
        await shown((description) => description === undefined);
        writeFileSync(file, LATER);
        await shown((description) => description === "Was added later.");
      }),
    TIMEOUT_MS,
  );

  it(
    "[M4] starts the server again after it ended during a call",
    async () => {
      const calls = [
        ["kill", {}],
        ["note", { text: "Käse" }],
      ] as const;
      await withAgent(agent, { files: { "kill.ts": KILL }, calls }, async ({ run, heard }) => {
        const ended = await run();
        expect(ended, ended.stderr).toMatchObject({ code: 0, left: [] });
        expect(heard.at(-1)?.answers).toEqual([
          { text: "The server of Toolwright has ended (SIGKILL). The next call starts it again." },
          { text: "Added 2 times: Käse" },
        ]);
      });
    },
    TIMEOUT_MS,
  );

  it.each([
    [
      "the package is gone",
      (text: string) => text.replace(/"[^"]*cli\.mjs"/, '"/gone/cli.mjs"'),
      "/gone/pi-extension.mjs does not exist.",
    ],
    [
      "Node is gone",
      (text: string) => text.replace(/"command": "[^"]*"/, '"command": "/gone/node"'),
      "/gone/node cannot be started (ENOENT).",
    ],
  ])(
    "[M3] works without the tools if %s, and says so",
    async (_what, edit, reason) => {
      await withAgent(agent, { calls: [] }, async ({ run, heard, config }) => {
        const installed = readFileSync(config.file, "utf8");
        const entry = installed.indexOf('"toolwright": {');
        writeFileSync(config.file, installed.slice(0, entry) + edit(installed.slice(entry)));
        const ended = await run();
        expect(ended, ended.stderr).toMatchObject({ code: 0, left: [] });
        expect(ended.stdout).toContain(FINAL_MESSAGE);
        expect(ended.stderr).toContain(`The tools of Toolwright are missing. ${reason} Try: toolwright doctor\n`);
        expect(heard[0]?.offered.map(({ name }) => name)).not.toContain("note");
      });
    },
    TIMEOUT_MS,
  );

  it(
    "[M4] has a tool of its own folder once",
    async () => {
      await withAgent(agent, { calls: [["greet", {}]] }, async ({ run, heard, at }) => {
        put(join(at.home, folder, "extensions/greet.ts"), GREET);
        const ended = await run();
        expect(ended, ended.stderr).toMatchObject({ code: 0, left: [] });
        const names = heard[0]?.offered.map(({ name }) => name) ?? [];
        expect(names.filter((name) => name.includes("greet"))).toEqual(["greet"]);
        expect(names).toContain("note");
        expect(heard.at(-1)?.answers).toEqual([{ text: "Hello." }]);
      });
    },
    TIMEOUT_MS,
  );
}

async function until(is: () => boolean): Promise<void> {
  while (!is()) await sleep(20);
}
