import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startToolbox } from "../../src/toolbox/open-toolbox.ts";
import { cli, ensureBuilt, json } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { startedWith } from "../support/processes.ts";
import { put } from "../support/temporary.ts";
import { answering } from "../support/toolbox.ts";

/** Longer than any test may take: a command that waits for the import does not end in time. */
const IMPORT_MS = 600_000;

/** Files whose import neither succeeds nor fails. */
const HANGING: Readonly<Record<string, string>> = {
  "a top-level await": `await new Promise(() => setTimeout(() => {}, ${IMPORT_MS}));\n${answering('"never"')}`,
  "a loop": `while (true) {}\n${answering('"never"')}`,
  "Tool.define": `import { Tool } from "toolwright";
export default Tool.define("hangs", () => new Promise(() => setTimeout(() => {}, ${IMPORT_MS})));`,
  "a factory": `import type { ExtensionAPI } from "toolwright"; export default async (pi) => { await new Promise(() => setTimeout(() => {}, ${IMPORT_MS})); pi.registerTool({}); };`,
};

function project(hangs: string): Sandbox {
  const at = sandbox({
    "good.ts": answering('"from good"'),
    "broken.ts": "export default { x: , };\n",
    "hangs.ts": hangs,
  });
  put(join(at.home, ".toolwright/settings.json"), JSON.stringify({ limits: { importMs: IMPORT_MS } }));
  return at;
}

beforeAll(ensureBuilt);

describe.each(Object.entries(HANGING))("[U1] a file that hangs in %s", (_, hangs) => {
  it("is named by list, which ends and leaves no process behind", async () => {
    const at = project(hangs);
    const file = join(at.tools, "hangs.ts");
    const { code, stdout } = await cli(at, ["list", "--trust"]);
    expect(code).toBe(0);
    expect(stdout).toContain("good");
    expect(stdout).toContain("Still loading, so its tools are not listed:\n  .toolwright/tools/hangs.ts\n");
    expect(stdout).toContain("1 problem:\n  .toolwright/tools/broken.ts:1:21 (syntax)");
    const again = await cli(at, ["list", "--trust", "--json"]);
    expect([again.code, json(again)]).toMatchObject([0, { loading: [file] }]);
    expect(startedWith(at.home)).toEqual([]);
  });

  it("is not waited for by commands about another tool", async () => {
    const at = project(hangs);
    expect(await cli(at, ["check", ".toolwright/tools/good.ts", "--trust"])).toMatchObject({ code: 0 });
    expect(await cli(at, ["check", ".toolwright/tools/broken.ts", "--trust"])).toMatchObject({ code: 1 });
    expect(await cli(at, ["run", "good", "--trust"])).toMatchObject({ code: 0, stdout: "from good\n" });
    expect(await cli(at, ["show", "good", "--trust"])).toMatchObject({ code: 0 });
    expect(await cli(at, ["permissions", "explain", "good", "--trust"])).toMatchObject({ code: 0 });
    expect(await cli(at, ["doctor", "--trust"])).toMatchObject({ code: 0 });
    const broken = await cli(at, ["run", "broken", "--trust"]);
    expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('"broken" cannot be used.')]);
    expect(broken.stderr).toContain("Unexpected token. Correct it and save.");
    expect(startedWith(at.home)).toEqual([]);
  });
});

describe("[U1] run of a tool that no loaded file has", () => {
  it("waits for a slow file that has it, also if an earlier command has given up on that file", async () => {
    const slow = `await new Promise((resolve) => setTimeout(resolve, 4_000));
export default { name: "late", description: "Comes late.", inputSchema: {}, handler: async () => "from late" };`;
    const at = sandbox({ "slow.ts": slow });
    expect((await cli(at, ["list", "--trust", "--json"])).stdout).toContain("slow.ts");
    expect(await cli(at, ["run", "late", "--trust"])).toMatchObject({ code: 0, stdout: "from late\n" });
  });

  it("gives up on a file that hangs, and names it", async () => {
    const at = project(HANGING["a top-level await"] ?? "");
    const unknown = await cli(at, ["run", "nothing_like_these", "--trust"]);
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      `error: There is no tool "nothing_like_these" yet. One file is still being loaded and may define it: ${join(at.tools, "hangs.ts")}. Try again later, or run "toolwright check" to see why.\n`,
    ]);
    expect(startedWith(at.home)).toEqual([]);
  });
});

describe("[A12] a tool is found before other files have been loaded", () => {
  async function begun(files: Record<string, string>): ReturnType<typeof startToolbox> {
    const at = sandbox(files);
    const limits = { importMs: IMPORT_MS };
    const toolbox = await startToolbox({ cwd: at.project, env: at.env, trust: true, waitMs: IMPORT_MS, limits });
    onTestFinished(() => toolbox.close());
    return toolbox;
  }

  it.each(Object.entries(HANGING))("if one hangs in %s", async (_, hangs) => {
    const toolbox = await begun({ "good.ts": answering('"from good"'), "hangs.ts": hangs });
    expect(await toolbox.find("good")).toMatchObject({ name: "good" });
    expect(await toolbox.call({ name: "good" }).result).toMatchObject({ ok: true });
    expect(await toolbox.find("read")).toMatchObject({ source: "builtin" });
    expect(toolbox.status.loading.map((file) => file.split("/").at(-1))).toEqual(["hangs.ts"]);
  });

  it("but not before a file of higher precedence that may define the same name", async () => {
    const at = sandbox({
      "greet.ts": `await new Promise((done) => setTimeout(done, 500));\n${answering('"the project"')}`,
    });
    put(join(at.home, ".toolwright/tools/greet.ts"), answering('"the user"'));
    const toolbox = await startToolbox({ cwd: at.project, env: at.env, trust: true, waitMs: IMPORT_MS });
    onTestFinished(() => toolbox.close());
    expect(await toolbox.find("greet")).toMatchObject({ file: join(at.tools, "greet.ts") });
  });
});
