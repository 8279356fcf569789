import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHAT } from "../support/agents/chat-wire.ts";
import { installedAgent, packagesOf } from "../support/agents/installed-agent.ts";
import { linkOpencodePackages } from "../support/agents/opencode.ts";
import { AgentWorld } from "../support/coding-agents/agent-world.ts";
import { OPENCODE } from "../support/coding-agents/rows/opencode.ts";
import { put } from "../support/temporary.ts";

const missing = await installedAgent("opencode");
const TIMEOUT_MS = 180_000;

const COPY = 'export default { description: "A tool of OpenCode.", args: {}, execute: async () => "Copied." };\n';

describe.skipIf(missing)("[G3] OpenCode with configuration of its own", () => {
  let world: AgentWorld;

  beforeAll(async () => {
    world = await AgentWorld.create({ ...OPENCODE, wire: CHAT });
    const own = join(world.at.project, ".opencode");
    linkOpencodePackages(own, packagesOf("opencode"));
    put(join(own, "tool/copied.ts"), COPY);
    put(join(own, "tool/other.ts"), COPY);
    const denied = { bash: { "rm *": "deny" }, webfetch: "deny" };
    // What `toolwright install opencode` writes.
    const mcp = { toolwright: { type: "local", command: ["toolwright", "mcp"], enabled: true } };
    writeFileSync(join(world.at.project, "opencode.json"), JSON.stringify({ permission: denied, mcp }));
  });
  afterAll(() => world.remove());

  it(
    "shows its model each tool once",
    async () => {
      const { asked } = await world.turn("Show the tools.", [{ say: "Here they are." }]);
      const names = asked[0]?.offered.map(({ name }) => name) ?? [];
      expect(names.filter((name) => /(?:^|_)(?:copied|other|note)$/.test(name)).sort()).toEqual([
        expect.stringMatching(/^toolwright-[0-9a-f]{5}_copied$/),
        expect.stringMatching(/^toolwright-[0-9a-f]{5}_note$/),
        expect.stringMatching(/^toolwright-[0-9a-f]{5}_other$/),
      ]);
      expect(names).toEqual(expect.arrayContaining(["bash", "edit", "read", "write", "task", "todowrite"]));
      expect(names.filter((name) => /question|resource/.test(name))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "keeps the denials of its settings, and asks about what they do not deny",
    async () => {
      const file = world.file("kept");
      writeFileSync(file, "");
      const { asked, answers, stored } = await world.turn("Remove it.", [
        { call: "bash", input: { command: `rm ${file}`, description: "Removes a file" } },
        { call: "bash", input: { command: `touch ${file}.new`, description: "Makes a file" } },
        { say: "Not removed." },
      ]);
      expect(asked[0]?.offered.map(({ name }) => name)).not.toContain("webfetch");
      expect(answers[0]?.text).toContain("prevents you from using this specific tool call");
      expect(answers[1]?.text).toContain("opencode:bash");
      expect([file, `${file}.new`].map((each) => existsSync(each))).toEqual([true, false]);
      expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "Not removed." });
    },
    TIMEOUT_MS,
  );

  it(
    "asks about the calls of its sub-agents",
    async () => {
      const file = world.file("by-a-sub-agent");
      world.model.script("Write it for me.", [
        { call: "write", input: { filePath: file, content: "text" } },
        { say: "It was refused." },
      ]);
      const { stored, answers } = await world.turn("Delegate it.", [
        {
          call: "task",
          input: { description: "Write a file", prompt: "Write it for me.", subagent_type: "general" },
        },
        { say: "Delegated." },
      ]);
      expect(existsSync(file)).toBe(false);
      expect(answers[0]?.text).toContain("It was refused.");
      const told = world.model.asked("Write it for me.").at(-1);
      expect(told?.answers[0]?.text).toContain("opencode:write");
      expect(told?.offered.filter(({ name }) => name.startsWith("toolwright"))).toEqual([]);
      expect(stored.filter(({ type }) => type === "tool.complete")).toMatchObject([{ tool: "opencode:task" }]);
      expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "Delegated." });
    },
    TIMEOUT_MS,
  );

  it("leaves nothing behind", () => world.close(), TIMEOUT_MS);
});
