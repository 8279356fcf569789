import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { trustProject } from "../src/catalog/discovery/trusted-projects.ts";
import { cli, ensureBuilt, json } from "./support/cli.ts";
import { type Sandbox, sandbox } from "./support/fixture.ts";
import { put } from "./support/temporary.ts";
import { answering } from "./support/toolbox.ts";

beforeAll(ensureBuilt);

async function trusted(files: Record<string, string> = {}): Promise<Sandbox> {
  const at = sandbox(files);
  await trustProject(at.project, join(at.home, ".toolwright"));
  return at;
}

const PLUGIN = `import type { Plugin } from "@opencode-ai/plugin"; export default async () => ({
  tool: {
    deploy: { description: "Deploys the project to the staging server.", execute: async () => "" },
  },
  "chat.message": async () => {},
});
`;

describe("check", () => {
  it("[A2] [U1] warns of names with the separator of MCP names, as other commands do", async () => {
    const at = await trusted({
      "a__b.ts": answering('""', "Looks up a user by name or by id."),
      "_x.ts": "export const _y = { description: 'Looks up a user by name.', execute: () => '' };",
      "a_b.ts": answering('""', "Looks up a project by name or by id."),
    });
    const warning = (name: string): string =>
      `The name "${name}" contains "__", which is reserved for MCP names (mcp__SERVER__TOOL): an agent may take it for a tool of another server. Rename it with one "_".`;
    const { tools } = json<{ tools: { name: string; warnings: object[] }[] }>(await cli(at, ["check", "--json"]));
    const reserved = tools.map(({ name, warnings }) => [
      name,
      warnings.filter((each) => (each as { code: string }).code === "reserved_name"),
    ]);
    expect(reserved).toEqual([
      ["_x__y", [{ code: "reserved_name", message: warning("_x__y") }]],
      ["a__b", [{ code: "reserved_name", message: warning("a__b") }]],
      ["a_b", []],
    ]);
    const listed = await cli(at, ["list", "--json"]);
    expect(json(listed)).toMatchObject({
      warnings: [
        { file: join(at.tools, "_x.ts"), message: warning("_x__y") },
        { file: join(at.tools, "a__b.ts"), message: warning("a__b") },
      ],
    });
    const { stderr } = await cli(at, ["list"]);
    expect(stderr.replace(/\s+/g, " ")).toContain(`warning: .toolwright/tools/a__b.ts: ${warning("a__b")}`);
    const run = await cli(at, ["run", "a__b"]);
    expect([run.code, run.stderr.includes('The name "a__b"')]).toEqual([0, true]);
  });

  it("[U1] [D2] reports a JSON file without tools if it is named, and a misspelt key of tools always", async () => {
    const at = await trusted({ "notes.json": "{ not json" });
    expect(await cli(at, ["check"])).toMatchObject({ code: 0 });
    const named = await cli(at, ["check", ".toolwright/tools/notes.json"]);
    expect(named).toMatchObject({ code: 1, stdout: expect.stringContaining("This is not valid JSON") });
    expect(await cli(at, ["check"])).toMatchObject({ code: 0 });
    put(join(at.tools, "notes.json"), '{ "name": "x", "tool": [] }');
    const { problems } = json<{ problems: object[] }>(
      await cli(at, ["check", ".toolwright/tools/notes.json", "--json"]),
    );
    expect(problems).toMatchObject([
      { code: "not_a_tool", message: 'tools is missing, and "tool" is not a known key. Did you mean "tools"?' },
    ]);
  });

  it("[P3] [P4] [U1] check and doctor name hooks that run files of the project, and say what to do", async () => {
    const at = await trusted({ "a.ts": answering('""', "Looks up a user by name or by id.") });
    put(join(at.project, "hooks/check.mjs"), "");
    put(join(at.project, "src/a.ts"), "");
    const before = [
      { tool: "*", command: ["node", "hooks/check.mjs"] },
      { tool: "edit", command: "npx prettier --write src && npm run lint" },
      { tool: "write", command: "make check" },
      { tool: "bash", command: "jq -e .tool >/dev/null && /usr/bin/env true" },
    ];
    const own = put(join(at.project, ".toolwright/settings.json"), JSON.stringify({ hooks: { before } }));
    const unknown =
      "Files that are run or imported in turn are not known: acceptEdits lets an agent change them without a question.";
    const fix =
      'Keep the files that a hook runs outside of the project, or add a rule with "action": "ask" for each file and folder that these files use.';
    const messages = [
      `The hook "node hooks/check.mjs" names hooks/check.mjs, so writing there needs approval in the mode acceptEdits. ${unknown}`,
      `The hook "npx prettier --write src && npm run lint" names src, so writing there needs approval in the mode acceptEdits, and starts tasks with npm. ${unknown}`,
      `The hook "make check" starts tasks with make. ${unknown}`,
    ];

    const checked = await cli(at, ["check"]);
    expect(checked.code).toBe(0);
    const text = checked.stdout.replace(/\n +/g, " ");
    for (const message of messages) expect(text).toContain(`warn  .toolwright/settings.json ${message} ${fix}`);
    expect(text).toContain("1 tool, 0 problems, 3 warnings.");
    expect(json(await cli(at, ["check", "--json"]))).toMatchObject({
      ok: true,
      hooks: messages.map((message) => ({ file: own, message, fix })),
    });
    expect(json(await cli(at, ["check", ".toolwright/tools/a.ts", "--json"]))).toMatchObject({
      hooks: [],
    });
    const { checks } = json(await cli(at, ["doctor", "--json"])) as { checks: { name: string }[] };
    expect(checks.filter(({ name }) => name === "hooks")).toEqual(
      messages.map((message) => ({ name: "hooks", status: "warn", message, fix })),
    );

    const untrusted = sandbox();
    put(join(untrusted.project, ".toolwright/settings.json"), JSON.stringify({ hooks: { before } }));
    const quiet = json(await cli(untrusted, ["doctor", "--json"])) as { checks: { name: string }[] };
    expect(quiet.checks.filter(({ name }) => name === "hooks")).toEqual([]);
  });

  it("[U1] shows one line for each file and its findings, with --long also what a model sees, and exits 0", async () => {
    const at = await trusted({
      "get_user.ts": `// A comment
export default { description: "Short", args: { id: { type: "string" } }, execute: () => "" };
`,
      "getUser.ts": answering('""', "Looks up a user by name or by id."),
    });
    expect(await cli(at, ["check"])).toMatchObject({
      code: 0,
      stdout: `warn  .toolwright/tools/getUser.ts: getUser
      getUser, line 1: "getUser" and "get_user" differ only in case and separators, so a model will mix them up. Rename one.
warn  .toolwright/tools/get_user.ts: get_user
      get_user, line 2: The description has 5 characters. Say what the tool does and when to use it.
      get_user, line 2: The field "id" has no description. Say what it is, with an example where that helps.
      get_user, line 2: "get_user" and "getUser" differ only in case and separators, so a model will mix them up. Rename one.

2 tools, 0 problems, 4 warnings.
`,
    });
    const { code, stdout } = await cli(at, ["check", "--long"]);
    const why = 'it exports an object with "description" and "execute", the shape that tool() returns';
    expect(stdout).toBe(`.toolwright/tools/getUser.ts: read as a tool, because ${why}
  getUser  line 1
    Looks up a user by name or by id.
    takes no arguments
    warning: "getUser" and "get_user" differ only in case and separators, so a model will mix them up. Rename one.

.toolwright/tools/get_user.ts: read as a tool, because ${why}
  get_user  line 2
    Short
    takes { id: string }
    warning: The description has 5 characters. Say what the tool does and when to use it.
    warning: The field "id" has no description. Say what it is, with an example where that helps.
    warning: "get_user" and "getUser" differ only in case and separators, so a model will mix them up. Rename one.

2 tools, 0 problems, 4 warnings.
`);
    expect(code).toBe(0);
  });

  it("[U1] lists the features of another system that a file uses and that do not work", async () => {
    const at = await trusted();
    const file = put(join(at.project, ".opencode/tool/release.ts"), PLUGIN);
    const { stdout, code } = await cli(at, ["check", "--long"]);
    const short = await cli(at, ["check"]);
    const report = json<{ files: { why: string; unsupportedFeatures: string[] }[] }>(
      await cli(at, ["check", "--json"]),
    );
    const [{ why, unsupportedFeatures } = { why: "", unsupportedFeatures: [] }] = report.files;
    expect(report.files).toEqual([{ file, format: "opencode-plugin", why, unsupportedFeatures, tools: ["deploy"] }]);
    expect(unsupportedFeatures).toEqual([expect.stringContaining("chat.message")]);
    expect(stdout).toBe(`.opencode/tool/release.ts: read as an OpenCode plugin, because ${why}
  deploy  line 3
    Deploys the project to the staging server.
    takes no arguments
  does not work here:
    ${unsupportedFeatures[0]}

1 tool, 0 problems, 0 warnings, 1 unsupported feature.
`);
    expect(short.stdout).toBe(`note  .opencode/tool/release.ts: deploy
      Does not work here: ${unsupportedFeatures[0]}

1 tool, 0 problems, 0 warnings, 1 unsupported feature.
`);
    expect(code).toBe(0);
  });

  it("[U1] finds the line on which a tool defines its name", async () => {
    const at = await trusted({
      "pair.json": JSON.stringify(
        {
          name: "pair",
          tools: ["first", "pair"].map((name) => ({
            name,
            description: "Says whether this works at all.",
            inputSchema: { type: "object", properties: {} },
            handler: { type: "shell", command: "true" },
          })),
        },
        null,
        1,
      ),
    });
    const { tools } = json<{ tools: { name: string; line: number }[] }>(await cli(at, ["check", "--json"]));
    expect(tools.map(({ name, line }) => [name, line])).toEqual([
      ["first", 5],
      ["pair", 17],
    ]);
  });

  it("[U1] gives advice for tools without a description that other systems accept", async () => {
    const at = await trusted({
      "silent.ts": 'export default { name: "silent", inputSchema: { type: "object" }, handler: () => "" };\n',
    });
    const { stdout, code } = await cli(at, ["check", "--long"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`  silent  line 1
    (no description)
    takes no arguments
    warning: It has no description. Say what the tool does and when to use it: a model decides by this text.
`);
  });

  it("[U1][D5] exits 1 with a problem, and can check single files", async () => {
    const at = await trusted({
      "fine.ts": answering('""', "Does nothing, and does it well."),
      "broken.ts": "\nexport default {",
    });
    const all = await cli(at, ["check", "--json"]);
    expect(all.code).toBe(1);
    const report = json<{ files: object[]; tools: object[]; problems: object[]; ok: boolean }>(all);
    expect(Object.keys(report)).toEqual(["files", "tools", "problems", "blocked", "hooks", "ok"]);
    expect(report.ok).toBe(false);
    expect(report.tools.map((tool) => Object.keys(tool))).toEqual([
      ["name", "file", "line", "format", "description", "inputSchema", "warnings"],
    ]);
    expect(report.files).toMatchObject([
      { file: join(at.tools, "broken.ts"), unsupportedFeatures: [], tools: [] },
      { file: join(at.tools, "fine.ts"), format: "tool", tools: ["fine"] },
    ]);
    expect(report.problems).toHaveLength(1);
    const one = await cli(at, ["check", ".toolwright/tools/fine.ts"]);
    expect({ code: one.code, says: one.stdout }).toMatchObject({
      code: 0,
      says: expect.stringMatching(/1 tool, 0 problems/),
    });
    const broken = await cli(at, ["check", join(at.tools, "broken.ts")]);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/^fail {2}\.toolwright\/tools\/broken\.ts:2:17 \(syntax\)\n {6}/);
    const missing = await cli(at, ["check", "other.ts"]);
    expect(missing).toMatchObject({ code: 2, stderr: "toolwright: No such file: other.ts. Check the path.\n" });
    put(join(at.project, "other.ts"), "");
    const stranger = await cli(at, ["check", "other.ts"]);
    expect(stranger.code).toBe(2);
    expect(stranger.stderr).toContain(`add: --tools-path ${join(at.project, "other.ts")}\n`);
  });

  it("[U1] reports that a shadowed file provides no tool", async () => {
    const at = await trusted({ "same.ts": answering('"near"', "Answers from the nearer of two folders.") });
    put(join(at.project, ".atomic/tools/same.ts"), answering('"far"', "Answers from the farther of two folders."));
    expect((await cli(at, ["check"])).stdout).toBe(`note  .atomic/tools/same.ts: no tool that can be called
ok    .toolwright/tools/same.ts: same

1 tool, 0 problems, 0 warnings.
`);
  });
});
