import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createToolbox, discoverAndLoadCustomTools, loadCustomTools, outputOf, tool } from "../src/index.ts";
import { sandbox } from "./support/fixture.ts";
import { put } from "./support/temporary.ts";
import { answering, open } from "./support/toolbox.ts";

const sdk = {
  name: "sdk-tool",
  description: "Adds two numbers.",
  inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  handler: async ({ a, b }: { a: number; b: number }, context: { toolUseId: string; sessionId: string }) => ({
    content: [{ type: "text", text: `${a + b} in ${context.sessionId} (${context.toolUseId})` }],
  }),
};

describe("[A12] tools passed as values", () => {
  it("can be a list, if each has a name", async () => {
    const { toolbox } = await open({}, { tools: [sdk] });
    const result = await toolbox.call({ name: "sdk-tool", input: { a: 1, b: 2 }, callID: "c", sessionID: "s" }).result;
    expect(outputOf(result)).toBe("3 in s (c)");
    expect(toolbox.get("sdk-tool")).toMatchObject({ source: "custom", place: "code", format: "sdk" });
  });

  it("can be an object by name; closures keep their variables", async () => {
    let calls = 0;
    const greet = tool({
      description: "Greets.",
      args: { name: z.string().default("World") },
      execute: ({ name }) => {
        calls += 1;
        return `Hello, ${name}!`;
      },
    });
    const { say } = await open({}, { tools: { greet } });
    expect([await say("greet"), calls]).toEqual(["Hello, World!", 1]);
  });

  it("take precedence over files and cannot be disabled", async () => {
    const at = sandbox({ "greet.ts": answering('"from a file"') });
    writeFileSync(join(at.project, ".toolwright/settings.json"), '{ "tools": { "disabled": ["*"] } }');
    const greet = { description: "Greets from code.", execute: () => "from code" };
    const { toolbox, say } = await open(at, { tools: { greet } });
    expect(await say("greet")).toBe("from code");
    expect(toolbox.get("greet")).toMatchObject({ enabled: true });
  });

  it("are problems if they are not tools", async () => {
    const { toolbox } = await open({}, { tools: [sdk, { description: "x", execute: () => "" }, 5] });
    expect(toolbox.list().map(({ name }) => name)).toEqual(["sdk-tool"]);
    expect(toolbox.problems().map(({ file, code }) => [file, code])).toEqual([
      ["code:tools[1]", "bad_name"],
      ["code:tools[2]", "not_a_tool"],
    ]);
  });

  it("can register more tools while they run, and get the end of a session", async () => {
    const ended: string[] = [];
    const parameters = { type: "object", properties: {} };
    const extension = (pi: {
      on(event: string, handler: () => void): void;
      registerTool(tool: Record<string, unknown>): void;
    }): void => {
      pi.on("session_shutdown", () => void ended.push("ended"));
      const second = { name: "second", description: "Two.", parameters, execute: async () => "two" };
      const execute = async (): Promise<string> => {
        pi.registerTool(second);
        return "one";
      };
      pi.registerTool({ name: "first", description: "One.", parameters, execute });
    };
    const { toolbox, say } = await open({}, { tools: { extension } });
    expect(await say("first")).toBe("one");
    await toolbox.sessions.tell("default", { reason: "shutdown" });
    expect(ended).toEqual(["ended"]);
    expect(await say("second")).toBe("two");
  });

  it("[A13] [P8] keep what a result of Copilot has for people, also of a call that failed", async () => {
    const hidden = { error: "disk sda1 is full", toolTelemetry: { metrics: { ms: 5 } } };
    const returning = (resultType: string) => ({
      name: `is-${resultType}`,
      description: "Returns a result of Copilot.",
      parameters: { type: "object", properties: {} },
      handler: () => ({ resultType, textResultForLlm: `A ${resultType}.`, ...hidden }),
    });
    const { toolbox } = await open({}, { tools: [returning("success"), returning("failure")] });
    await toolbox.sessions.open("s");
    for (const resultType of ["success", "failure"]) {
      const result = await toolbox.call({ name: `is-${resultType}`, sessionID: "s" }).result;
      expect([outputOf(result), result.data]).toEqual([`A ${resultType}.`, hidden]);
    }
    const log = await (await toolbox.sessions.store()).read("s", 0, 100);
    const data = log.flatMap((event) => ("result" in event ? [event.result.data] : []));
    expect(data).toEqual([hidden, hidden]);
  });

  it("[P2] [P4] go through the same pipeline", async () => {
    const waits = {
      description: "Waits.",
      execute: (_: unknown, { abort }: { abort: AbortSignal }) =>
        new Promise((_resolve, reject) => abort.addEventListener("abort", () => reject(new Error("told")))),
    };
    const { toolbox, say } = await open({}, { tools: { sdk, waits } });
    expect(await say("sdk-tool", { a: "x" })).toMatch(/^The input for "sdk-tool" is not valid/);
    const run = toolbox.call({ name: "waits", timeoutMs: 200 });
    expect(await run.result).toMatchObject({ ok: false, error: { code: "timeout" } });
  });
});

describe("[A12] custom tools for programs", () => {
  it("are discovered, called with ids and signals, and stream their progress", async () => {
    const at = sandbox({
      "counts.ts": `import type { CustomToolAPI } from "toolwright";
export default (pi: CustomToolAPI) => ({
        name: "counts", label: "Counts", description: "Counts.",
        parameters: pi.typebox.Type.Object({ to: pi.typebox.Type.Number() }),
        async execute(id, { to }, onUpdate) {
          onUpdate({ content: [{ type: "text", text: "begun" }], details: { at: 0 } });
          return { content: [{ type: "text", text: id + " counted to " + to }], details: { to } };
        },
      });`,
      "broken.ts": "export default {",
      "read.ts": answering('"mine"'),
    });
    const loaded = await discoverAndLoadCustomTools([], at.project, ["read"], { env: at.env, trust: true });
    onTestFinished(() => loaded.close());
    expect(loaded.tools.map(({ tool }) => [tool.name, tool.label])).toEqual([["counts", "Counts"]]);
    expect(loaded.errors.map(({ path, error }) => [path.split("/").at(-1), error])).toEqual([
      ["broken.ts", expect.stringMatching(/^line 1: /)],
      ["read.ts", 'The name "read" is taken by a built-in tool. Rename it.'],
    ]);
    const seen: unknown[] = [];
    const given = await loaded.tools[0]?.tool.execute("c1", { to: 3 }, (partial) => seen.push(partial));
    expect(given).toEqual({ content: [{ type: "text", text: "c1 counted to 3" }], details: { to: 3 } });
    expect(seen).toEqual([{ content: [{ type: "text", text: "begun" }], details: { at: 0 } }]);
    await expect(loaded.tools[0]?.tool.execute("c2", {})).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("can be limited to paths; those of an untrusted project are errors with advice", async () => {
    const at = sandbox({ "a.ts": answering('"a"') });
    writeFileSync(join(at.root, "b.ts"), answering('"b"'));
    const alone = await loadCustomTools([join(at.root, "b.ts")], at.project, [], { env: at.env, trust: true });
    onTestFinished(() => alone.close());
    expect(alone.tools.map(({ tool }) => tool.name)).toEqual(["b"]);
    const untrusted = await discoverAndLoadCustomTools([], at.project, [], { env: at.env });
    onTestFinished(() => untrusted.close());
    expect([untrusted.tools, untrusted.errors.map(({ error }) => error)]).toEqual([
      [],
      [
        `The project of this file is not trusted. Set "trust" in the options to load it this time, or run: toolwright trust --cwd ${at.project}`,
      ],
    ]);
  });

  it("[A12] [D1] paths start at `cwd`, and errors are about these paths, in the words of the API", async () => {
    const at = sandbox({ "broken.ts": "export default {" });
    const sub = join(at.project, "sub");
    put(join(at.project, "conf/root.ts"), answering('"root"'));
    put(join(sub, "conf/near.ts"), answering('"near"'));
    put(join(sub, "other.json"), '{ "servers": [] }');
    put(join(at.project, ".mcp.json"), "{");
    put(join(at.project, "opencode.json"), '{ "plugin": ["not-installed"] }');
    put(join(at.project, ".toolwright/settings.json"), '{ "tools": { "paths": ["conf", "gone"] } }');
    symlinkSync("nothing", join(at.tools, "link.ts"));
    for (const trust of [true, false]) {
      const options = { env: at.env, trust };
      const loaded = await loadCustomTools(["conf", "missing", "other.json"], sub, [], options);
      onTestFinished(() => loaded.close());
      expect(loaded.tools.map(({ tool }) => tool.name)).toEqual(trust ? ["near"] : []);
      const untrusted = expect.stringContaining("is not trusted");
      expect(loaded.errors.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
        ...(trust ? [] : [{ path: join(sub, "conf/near.ts"), error: untrusted }]),
        {
          path: join(sub, "missing"),
          error:
            'There is no such file or folder. It is named by "paths" of loadCustomTools. Correct the path there, or create it.',
        },
        {
          path: join(sub, "other.json"),
          error: trust ? "line 1: tools is missing. Write a list of tools." : untrusted,
        },
      ]);
    }
    const all = await discoverAndLoadCustomTools(["missing"], sub, [], { env: at.env, trust: true });
    onTestFinished(() => all.close());
    expect(all.tools.map(({ tool }) => tool.name)).toEqual(["root"]);
    expect(all.errors.find(({ path }) => path === join(sub, "missing"))?.error).toContain(
      '"configuredPaths" of discoverAndLoadCustomTools',
    );
    const toolbox = await createToolbox({
      cwd: sub,
      env: at.env,
      trust: true,
      toolsPaths: ["missing"],
      onlyGiven: true,
    });
    onTestFinished(() => toolbox.close());
    expect(toolbox.problems().map(({ message }) => message)).toEqual([
      'There is no such file or folder. It is named by the option "toolsPaths". Correct the path there, or create it.',
    ]);
  });
});

describe("[A12] createToolbox", () => {
  it("can serve only the tools that are passed to it", async () => {
    const at = sandbox({ "a.ts": answering('"a"') });
    const toolbox = await createToolbox({ cwd: at.project, env: at.env, trust: true, tools: [sdk], onlyGiven: true });
    onTestFinished(() => toolbox.close());
    expect(toolbox.list().map(({ name }) => name)).toEqual(["sdk-tool"]);
  });
});
