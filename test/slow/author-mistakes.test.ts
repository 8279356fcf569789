import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { cli, ensureBuilt, json } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { put } from "../support/temporary.ts";
import { answering } from "../support/toolbox.ts";

beforeAll(ensureBuilt);

async function trusted(files: Record<string, string> = {}): Promise<Sandbox> {
  const at = sandbox(files);
  expect((await cli(at, ["trust"])).code).toBe(0);
  return at;
}

/** The first lines are types, so that lines of the compiled code are other ones. */
function failing(body: string): string {
  return `interface Row {
  readonly name: string;
}

export default {
  description: "Fails in one of several ways.",
  async execute(args: Row) {
    ${body}
  },
};
`;
}

const EMPTY = "This is a bug in the tool: throw an Error whose message says what went wrong.";
const BUG = "This is a bug in the tool. Fix it in";

/** The body of a tool, the message for the model, and what `run` adds. FILE is the path of the tool file. */
const FAILURES: readonly [string, string, string, string][] = [
  ["plain", 'throw new Error("No database.");', "No database.", "  at SHORT:8:11\n"],
  ["text", 'throw "only text";', "only text", ""],
  ["error-without-text", "throw new Error();", `The tool threw an error without a message in FILE:8. ${EMPTY}`, ""],
  ["range-error", "throw new RangeError();", `The tool threw a RangeError without a message in FILE:8. ${EMPTY}`, ""],
  ["nothing", "throw undefined;", `The tool threw undefined in FILE. ${EMPTY}`, ""],
  ["null", "throw null;", `The tool threw null in FILE. ${EMPTY}`, ""],
  ["object", "throw {};", `The tool threw an object without a message in FILE. ${EMPTY}`, ""],
  ["data", "throw { status: 404 };", '{"status":404}', ""],
  ["rejected", "await Promise.reject();", `The tool threw undefined in FILE. ${EMPTY}`, ""],
  [
    "any",
    'await Promise.any(["a", "b"].map((each) => Promise.reject(new Error(each))));',
    "All promises were rejected: a; b",
    "",
  ],
  [
    "caused",
    'throw new Error("No report.", { cause: new Error("disk full") });',
    "No report.",
    "  caused by: disk full\n  at SHORT:8:11\n",
  ],
  ["reference", "return missing.name;", `missing is not defined. ${BUG} FILE:8.`, ""],
  ["not-a-function", "return (args as any).load();", `args.load is not a function. ${BUG} FILE:8.`, ""],
  [
    "property",
    "return (args as any).row.name;",
    `Cannot read properties of undefined (reading 'name'). ${BUG} FILE:8.`,
    "",
  ],
  ["constant", "const a = 1; a = 2;", `Assignment to constant variable. ${BUG} FILE:8.`, ""],
  [
    "late-import",
    'return import("left-pad");',
    'The tool imports the package "left-pad", which is not installed. To install it, run: npm install --prefix PROJECT/.toolwright left-pad',
    "",
  ],
  ["late-typo", 'return import("zodd");', 'The tool imports "zodd", which does not exist. Did you mean "zod"?', ""],
  ["own-type-error", 'throw new TypeError("Send a date.");', "Send a date.", "  at SHORT:8:11\n"],
  ["bad-url", 'return new URL("no url");', "Invalid URL", "  at SHORT:8:12\n"],
];

describe("[A4][P5] run says where a tool failed", () => {
  it("for each kind of error, and the model gets the message only", async () => {
    const at = await trusted(Object.fromEntries(FAILURES.map(([name, body]) => [`${name}.ts`, failing(body)])));
    for (const [name, , message, more] of FAILURES) {
      const { stderr, code } = await cli(at, ["run", name]);
      const file = join(at.tools, `${name}.ts`);
      const said = `error: ${message}\n${more}`
        .replaceAll("FILE", file)
        .replaceAll("PROJECT", at.project)
        .replaceAll("SHORT", `.toolwright/tools/${name}.ts`);
      expect([code, stderr]).toEqual([1, said]);
    }
    const { error, notes } = json<{ error: object; notes: object }>(await cli(at, ["run", "caused", "--json"]));
    expect([error, notes]).toEqual([
      { code: "failed", message: "No report." },
      {
        durationMs: expect.any(Number),
        thrownAt: `${join(at.tools, "caused.ts")}:8:11`,
        causes: ["disk full"],
      },
    ]);
  });
});

describe("[A4] a tool that returns nothing", () => {
  it("is a warning of run and of check, unless it returns an empty text", async () => {
    const at = await trusted({
      "forgot.ts": failing("`Hello`;"),
      "empty.ts": failing('return "";'),
    });
    expect(await cli(at, ["run", "forgot"])).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "warning: The tool returned nothing. Did its execute() forget to `return`? .toolwright/tools/forgot.ts\n",
    });
    expect(await cli(at, ["run", "empty"])).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const { stdout, code } = await cli(at, ["check"]);
    expect(code).toBe(0);
    expect(stdout).toBe(`ok    .toolwright/tools/empty.ts: empty
warn  .toolwright/tools/forgot.ts: forgot
      forgot, line 5: Its function has no "return" with a value, so a model gets an empty result. Return a text that says what was done.

2 tools, 0 problems, 1 warning.
`);
  });
});

describe("[D1] a tool file in a wrong folder", () => {
  it("is named by list, check, run and doctor, with the command that moves it", async () => {
    const at = await trusted();
    put(join(at.project, "tools/lint.ts"), answering('"linted"', "Lints the project."));
    put(join(at.project, ".claude/tool/my deploy.ts"), answering('"deployed"', "Deploys the project."));
    put(join(at.home, ".toolwright/notes.ts"), answering('"noted"', "Writes a note."));
    const home = join(at.home, ".toolwright");
    const { stdout } = await cli(at, ["list"]);
    expect((await cli(at, ["check"])).stdout).toContain("3 files look like tools, but are not in a tools folder:\n");
    expect(stdout).toContain(`3 files look like tools, but are not in a tools folder:
  tools/lint.ts
    Move it: mkdir -p .toolwright/tools && mv tools/lint.ts .toolwright/tools/
  .claude/tool/my deploy.ts
    Move it: mkdir -p .claude/tools && mv '.claude/tool/my deploy.ts' .claude/tools/
  ${home}/notes.ts
    Move it: mkdir -p ${home}/tools && mv ${home}/notes.ts ${home}/tools/
`);
    const { misplaced } = json<{ misplaced: object[] }>(await cli(at, ["list", "--json"]));
    expect(misplaced[0]).toEqual({
      file: join(at.project, "tools/lint.ts"),
      folder: join(at.project, ".toolwright/tools"),
      fix: "mkdir -p .toolwright/tools && mv tools/lint.ts .toolwright/tools/",
    });
    expect((await cli(at, ["run", "lint"])).stderr).toContain(
      "warning: tools/lint.ts looks like a tool, but is not in a tools folder. Move it: mkdir -p .toolwright/tools && mv tools/lint.ts .toolwright/tools/\n",
    );
    expect((await cli(at, ["doctor"])).stdout).toContain(
      `warn  ${join(at.project, "tools/lint.ts")} looks like a tool, but is not in a tools folder\n      Move it: mkdir -p .toolwright/tools && mv tools/lint.ts .toolwright/tools/\n`,
    );
  });

  it("is not mentioned if the folder is searched, or there is none", async () => {
    const at = await trusted({ "a.ts": answering('"a"') });
    mkdirSync(join(at.project, "tools"), { recursive: true });
    put(join(at.project, "tools/lint.ts"), answering('"linted"', "Lints the project."));
    const { stdout } = await cli(at, ["list", "--tools-path", "tools"]);
    expect(stdout).not.toContain("not in a tools folder");
    expect(stdout).toMatch(/^lint +configured/m);
  });
});

describe("[U1] the files that check reads", () => {
  it("are those of the named folder, or of a folder that --tools-path adds", async () => {
    const at = await trusted({ "a.ts": answering('"a"', "Answers from the tools folder.") });
    put(join(at.project, "my tools/b.ts"), answering('"b"', "Answers from another folder."));
    expect(await cli(at, ["check", ".toolwright/tools"])).toMatchObject({
      code: 0,
      stdout: "ok    .toolwright/tools/a.ts: a\n\n1 tool, 0 problems, 0 warnings.\n",
    });
    const option = `--tools-path '${join(at.project, "my tools")}'`;
    expect(await cli(at, ["check", "my tools"])).toMatchObject({
      code: 2,
      stderr: `toolwright: No tool file was found in my tools. If it is not a tools folder, add: ${option}\n`,
    });
    expect(await cli(at, ["check", "my tools", "--tools-path", join(at.project, "my tools")])).toMatchObject({
      code: 0,
      stdout: "ok    my tools/b.ts: b\n\n1 tool, 0 problems, 0 warnings.\n",
    });
  });
});

describe("[A11] new", () => {
  it("refuses the name of a built-in tool, unless the settings override it", async () => {
    const at = sandbox();
    expect(await cli(at, ["new", "bash"])).toMatchObject({
      code: 2,
      stderr:
        'toolwright: "bash" is a built-in tool, which would be served instead of yours. Choose another name. To replace the built-in tool, first set "tools": { "override": ["bash"] } in the settings.\n',
    });
    put(join(at.home, ".toolwright/settings.json"), '{ "tools": { "override": ["bash"] } }');
    expect(await cli(at, ["new", "bash"])).toMatchObject({ code: 0 });
  });
});

describe("[D5] a broken helper of several tools", () => {
  it("is named in the problem of each, and in its own if it is in the tools folder", async () => {
    const at = await trusted({
      "a.ts": `import { x } from "./broken.ts";\n${answering("x")}`,
      "b.ts": `import { x } from "./broken.ts";\n${answering("x")}`,
      "broken.ts": "export const x = 1;\nexport default {\n  y: ,\n};\n",
    });
    const { problems } = json<{ problems: { file: string; message: string }[] }>(await cli(at, ["check", "--json"]));
    expect(problems.map(({ file, message }) => [file, message])).toEqual([
      [join(at.tools, "a.ts"), "broken.ts:3:6, which it imports: Unexpected token. Correct it and save."],
      [join(at.tools, "b.ts"), "broken.ts:3:6, which it imports: Unexpected token. Correct it and save."],
      [join(at.tools, "broken.ts"), "Unexpected token. Correct it and save."],
    ]);
    expect((await cli(at, ["check", ".toolwright/tools/a.ts"])).stdout).toBe(`fail  .toolwright/tools/a.ts (syntax)
      broken.ts:3:6, which it imports: Unexpected token. Correct it and save.
        1 | export const x = 1;
        2 | export default {
      > 3 |   y: ,
          |      ^
        4 | };

0 tools, 1 problem, 0 warnings.
`);
    expect((await cli(at, ["run", "broken"])).stderr).toBe(
      `error: "broken" cannot be used. ${join(at.tools, "broken.ts")}:3:6: Unexpected token. Correct it and save.\n`,
    );
  });
});
