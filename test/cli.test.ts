import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { trustProject } from "../src/catalog/discovery/trusted-projects.ts";
import { CLI, cli, ending, ensureBuilt, json } from "./support/cli.ts";
import { type Sandbox, sandbox } from "./support/fixture.ts";
import { hosts } from "./support/processes.ts";
import { put } from "./support/temporary.ts";
import { answering } from "./support/toolbox.ts";

beforeAll(ensureBuilt);

const ECHO = `import { tool } from "toolwright";
const z = tool.schema;
export default tool({
  description: "Gives back what it is given, for tests.",
  args: {
    text: z.string().optional().describe("Some text"),
    count: z.number().optional().describe("A number"),
    fix: z.boolean().optional().describe("A switch"),
    tags: z.array(z.string()).optional().describe("Several"),
    at: z.object({ line: z.number() }).optional().describe("Where"),
    either: z.union([z.number(), z.string()]).optional().describe("Either"),
    json: z.string().optional().describe("Named like an option"),
  },
  execute: (args) => JSON.stringify(args),
});
`;

/** A trusted project with these tool files. */
async function trusted(files: Record<string, string> = {}): Promise<Sandbox> {
  const at = sandbox(files);
  await trustProject(at.project, join(at.home, ".toolwright"));
  return at;
}

/** An untrusted project whose only tool creates a file when its code runs. */
function marked(): { at: Sandbox; hasRun: () => boolean } {
  const at = sandbox();
  const mark = join(at.root, "mark");
  writeFileSync(
    join(at.tools, "spy.ts"),
    `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(mark)}, "ran");\n${answering('"spied"')}`,
  );
  return { at, hasRun: () => existsSync(mark) };
}

const COMMANDS = [
  ...[
    "list",
    "show",
    "run",
    "check",
    "mcp",
    "serve",
    "new",
    "init",
    "trust",
    "permissions",
    "chat",
    "agents",
    "sessions",
    "install",
    "uninstall",
    "doctor",
  ],
];

const BUILT_IN =
  "Built in: bash, edit, file-reader, git-diff-summary, git-status, glob, grep, list, read, task, todoread, todowrite, webfetch, workspace-info, write";

describe("help and usage errors", () => {
  it("[U1] prints its version", async () => {
    const at = sandbox();
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(await cli(at, ["--version"])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
    expect(json(await cli(at, ["--version", "--json"]))).toEqual({ version });
  });

  it("[U1] lists its commands", async () => {
    const at = sandbox();
    const { code, stdout, stderr } = await cli(at, []);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Usage: toolwright <command> [options]");
    const names = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name);
    expect(names).toEqual(COMMANDS);
    expect((await cli(at, ["help"])).stdout).toBe(stdout);
    expect((await cli(at, ["--help"])).stdout).toBe(stdout);
  });

  it.each(COMMANDS)("[U1] explains %s with examples", async (name) => {
    const at = sandbox();
    const { code, stdout } = await cli(at, [name, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: toolwright ${name}`));
    expect(stdout).toMatch(new RegExp(`\nExamples:\n.*toolwright ${name}`));
    expect((await cli(at, ["help", name])).stdout).toBe(stdout);
  });

  it.each<[string[], string]>([
    [["lst"], 'Unknown command "lst". Did you mean "list"?'],
    [["zzz"], `Unknown command "zzz". Commands: ${COMMANDS.join(", ")}.`],
    [["list", "--jsn"], 'Unknown option --jsn. Did you mean "--json"?'],
    [["--zzz", "list"], "Unknown option --zzz. See --help."],
    [["list", "--cwd"], "--cwd needs a value: --cwd DIR"],
    [["list", "--cwd", "--json=1"], "--cwd needs a value: --cwd DIR"],
    [["list", "--trust=yes"], "--trust takes no value."],
    [["list", "extra"], 'Unexpected argument "extra". Usage: toolwright list [options]'],
    [["show"], "Missing argument. Usage: toolwright show NAME [options]"],
    [["run", "x", "--timeout", "soon"], '--timeout takes a number of milliseconds above 0, not "soon".'],
  ])("[U1] refuses %j with exit code 2", async (args, message) => {
    const at = sandbox();
    expect(await cli(at, args)).toMatchObject({ code: 2, stdout: "", stderr: `toolwright: ${message}\n` });
    if (args.includes("--json=1")) return;
    const [first = "", ...rest] = args;
    const asked = await cli(at, first === "--zzz" ? ["--json", ...args] : [first, "--json", ...rest]);
    expect({ code: asked.code, document: json(asked) }).toMatchObject({
      code: 2,
      document: { error: { code: "usage", message } },
    });
  });

  it("[Z3] prints one line on a Node version that is too old", async () => {
    const at = sandbox();
    const older = join(at.root, "older.mjs");
    writeFileSync(older, 'Object.defineProperty(process.versions, "node", { value: "20.19.0" });\n');
    const child = spawn(process.execPath, ["--import", older, CLI, "list"], { cwd: at.project, env: at.env });
    expect(await ending(child)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `toolwright needs Node 22.18 or newer, but this is Node 20.19.0 (${process.execPath}). Install a newer Node.\n`,
    });
  });

  it("[K2] refuses a --cwd that does not exist", async () => {
    const at = sandbox();
    const { code, stderr } = await cli(at, ["list", "--cwd", "nowhere"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `toolwright: --cwd: no such directory: ${join(at.project, "nowhere")}\n`,
    });
  });
});

describe("list", () => {
  it("[U1] explains what to do if there are no tools", async () => {
    const at = sandbox();
    expect(await cli(at, ["list"])).toMatchObject({
      code: 0,
      stderr: "",
      stdout: `No tools yet. Create one and call it:

  toolwright new hello
  toolwright run hello --name World

${BUILT_IN}
`,
    });
  });

  it("[U1][D4][D5] shows tools, problems and shadowed tools, and exits 0", async () => {
    const at = await trusted({
      "a.ts": answering('"project"', "The project's own.\nMore."),
      "broken.ts": "export default {\n",
      "off.ts": answering('""', "Not wanted."),
    });
    const globalTools = join(at.home, ".toolwright/tools");
    mkdirSync(globalTools, { recursive: true });
    writeFileSync(join(globalTools, "a.ts"), answering('"global"'));
    writeFileSync(join(at.home, ".toolwright/settings.json"), JSON.stringify({ tools: { disabled: ["off"] } }));
    const { code, stdout } = await cli(at, ["list"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^NAME {2}PLACE {4}DESCRIPTION\na {5}project {2}The project's own\.\noff {3}project {2}\(disabled\)\n\n1 problem:\n {2}\.toolwright\/tools\/broken\.ts:2:1 \(syntax\)\n {4}.+\n {6}1 \| export default \{\n {4}> 2 \|\n {8}\| \^\n\nHidden by a tool of the same name in a folder with higher priority:\n {2}a: .+\.toolwright\/tools\/a\.ts is hidden by \.toolwright\/tools\/a\.ts\n\nBuilt in: bash, .+\n$/,
    );
  });

  it("[U1] has exactly these keys as JSON", async () => {
    const at = await trusted({ "a.ts": answering('""'), "broken.ts": "export default {" });
    const listed = json<Record<string, Record<string, unknown>[]>>(await cli(at, ["list", "--json"]));
    expect(Object.keys(listed)).toEqual([
      "tools",
      "shadowed",
      "problems",
      "blocked",
      "loading",
      "misplaced",
      "warnings",
    ]);
    expect(listed.tools?.filter(({ source }) => source !== "builtin")).toEqual([
      {
        name: "a",
        description: "Answers.",
        source: "custom",
        place: "project",
        format: "tool",
        file: join(at.tools, "a.ts"),
        inputSchema: expect.objectContaining({ type: "object" }),
        enabled: true,
      },
    ]);
    const [problem = {}] = listed.problems ?? [];
    expect(problem).toMatchObject({ file: join(at.tools, "broken.ts"), code: "syntax" });
    expect(Object.keys(problem)).toEqual(["file", "line", "column", "code", "message", "frame"]);
  });

  it("[U1] does not fail if the reader of its output closes the pipe", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`t${n}.ts`, answering('""', "x".repeat(4000))]),
    );
    const at = await trusted(files);
    const child = spawn(process.execPath, [CLI, "list", "--json"], { cwd: at.project, env: at.env });
    child.stdout.once("data", () => child.stdout.destroy());
    const { code, stderr } = await ending(child);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("[K1] reports invalid settings on stderr, beside the JSON", async () => {
    const at = await trusted();
    writeFileSync(join(at.project, ".toolwright/settings.json"), '{\n  "limts": {}\n}\n');
    const { code, stdout, stderr } = await cli(at, ["list", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveProperty("problems", []);
    expect(stderr).toMatch(/^warning: \.toolwright\/settings\.json:2: .*"limts".*"limits".*\n$/);
  });

  it("[K2][D1] works in another folder with --cwd, also before the command, and with --tools-path", async () => {
    const at = await trusted({ "a.ts": answering('""') });
    mkdirSync(join(at.root, "more"));
    writeFileSync(join(at.root, "more/b.ts"), answering('""'));
    const args = ["--cwd", at.project, "list", "--json", "--tools-path", join(at.root, "more")];
    const { tools } = json<{ tools: { name: string; place: string; source: string }[] }>(
      await cli(at, args, { cwd: "/" }),
    );
    expect(tools.filter(({ source }) => source === "custom").map(({ name, place }) => [name, place])).toEqual([
      ["a", "project"],
      ["b", "configured"],
    ]);
  });

  it("[D1] a relative --tools-path starts at the working directory, a relative path of the settings at the project", async () => {
    const at = await trusted();
    const sub = join(at.project, "sub");
    put(join(at.project, "conf/far.ts"), answering('""'));
    put(join(sub, "conf/near.ts"), answering('""'));
    const listed = async (args: string[], cwd: string): Promise<string[]> =>
      json<{ tools: { name: string; place: string }[] }>(await cli(at, ["list", "--json", ...args], { cwd }))
        .tools.filter(({ place }) => place === "configured")
        .map(({ name }) => name);
    expect(await listed(["--tools-path", "conf"], sub)).toEqual(["near"]);
    expect(await listed(["--tools-path", "../conf"], sub)).toEqual(["far"]);
    expect(await listed(["--tools-path", "conf", "--cwd", sub], "/")).toEqual(["near"]);
    expect(await listed(["--tools-path", "conf"], at.project)).toEqual(["far"]);
    put(join(at.project, ".toolwright/settings.json"), '{ "tools": { "paths": ["conf"] } }');
    expect(await listed([], sub)).toEqual(["far"]);
    const { problems } = json<{ problems: { file: string; message: string }[] }>(
      await cli(at, ["list", "--json", "--tools-path", "gone"], { cwd: sub }),
    );
    expect(problems).toMatchObject([
      {
        file: join(sub, "gone"),
        message: "There is no such file or folder. It is named by --tools-path. Correct the path there, or create it.",
      },
    ]);
  });

  it("[U1] [D5] shows a file whose import has not ended as loading, and not as a problem", async () => {
    const at = await trusted({
      "late.ts": `await new Promise((done) => setTimeout(done, 600_000));\n${answering('""')}`,
    });
    const file = join(at.tools, "late.ts");
    // The second process knows that the import did not end in the first.
    for (const _ of [1, 2]) {
      const listed = json<object>(await cli(at, ["list", "--json"]));
      expect(listed).toMatchObject({ loading: [file], problems: [] });
    }
    const { stdout } = await cli(at, ["list"]);
    expect(stdout).toMatch(/^Still loading, so its tools are not listed:\n {2}\.toolwright\/tools\/late\.ts\n/);
  });

  it("[K2] follows TOOLWRIGHT_HOME", async () => {
    const at = sandbox();
    const elsewhere = join(at.root, "elsewhere");
    mkdirSync(join(elsewhere, "tools"), { recursive: true });
    writeFileSync(join(elsewhere, "tools/a.ts"), answering('""'));
    const { tools } = json<{ tools: { name: string; source: string }[] }>(
      await cli(at, ["list", "--json"], { env: { TOOLWRIGHT_HOME: elsewhere } }),
    );
    expect(tools.flatMap(({ name, source }) => (source === "custom" ? [name] : []))).toEqual(["a"]);
  });
});

describe("show", () => {
  it("[U1] shows arguments and an example that works", async () => {
    const at = await trusted({
      "greet.ts": `import { tool } from "toolwright";
export default tool({
  description: "Greets somebody.\\nTwice on Sundays.",
  args: {
    name: tool.schema.string().describe("Who"),
    mood: tool.schema.enum(["glad", "sad"]).default("glad"),
    times: tool.schema.number().optional(),
  },
  execute: ({ name }) => "Hello, " + name,
});
`,
    });
    const { code, stdout } = await cli(at, ["show", "greet"]);
    expect(code).toBe(0);
    expect(stdout).toBe(`greet
  Greets somebody.
  Twice on Sundays.

From .toolwright/tools/greet.ts (project, format tool)

Arguments
  --name   string          required        Who
  --mood   "glad" | "sad"  default "glad"
  --times  number          optional

Example
  toolwright run greet --name text
`);
    expect(await cli(at, ["run", "greet", "--name", "text"])).toMatchObject({ code: 0, stdout: "Hello, text\n" });
    const shown = json(await cli(at, ["show", "greet", "--json"]));
    expect(Object.keys(shown)).toEqual([
      ...["name", "description", "source", "place", "format", "file", "inputSchema", "enabled", "limits", "hints"],
    ]);
  });

  it("[U7] wraps at COLUMNS, cuts nothing, and labels built-in tools; so does list --long", async () => {
    const at = await trusted({
      "greet.ts": answering('"Hello"', "Greets a person in a language of the person's choice."),
    });
    const env = { COLUMNS: "50" };
    const { stdout } = await cli(at, ["show", "todowrite"], { env });
    expect(stdout).toMatch(/\n\nBuilt in\n\nArguments\n {2}--todos {2}object\[\] {2}required\n {6}\S/);
    expect(
      stdout
        .split("\n\nExample\n")[0]
        ?.split("\n")
        .filter((line) => line.length > 50),
    ).toEqual([]);
    const list = await cli(at, ["list", "--long"], { env });
    expect(list.stdout).toContain(`greet()
  Greets a person in a language of the person's
  choice.
  project, .toolwright/tools/greet.ts
`);
    expect(list.stdout).toContain(`grep(pattern: string, path?: string, include?:
    string)
  Searches the lines of files for a regular
  expression, and shows every line that matches
  with its file and line number.
  built in
`);
  });

  it("[U1] suggests the nearest name for an unknown tool", async () => {
    const at = await trusted({ "greet.ts": answering('""') });
    const message = 'There is no tool "gret". Did you mean "grep" or "greet"?';
    expect(await cli(at, ["show", "gret"])).toMatchObject({ code: 2, stdout: "", stderr: `toolwright: ${message}\n` });
    expect(json(await cli(at, ["show", "gret", "--json"]))).toEqual({ error: { code: "unknown_tool", message } });
  });
});

describe("run", () => {
  it("[U1] reads fields of every type, and stdin, and JSON", async () => {
    const at = await trusted({ "echo.ts": ECHO });
    const run = async (args: string[], input?: string): Promise<unknown> =>
      JSON.parse((await cli(at, ["run", "echo", ...args], input === undefined ? {} : { input })).stdout);
    expect(
      await run([
        "--text",
        "5",
        "--count=-1.5",
        "--fix",
        "--tags",
        "a",
        "--tags",
        "b",
        "--at.line",
        "3",
        "--either",
        "7",
      ]),
    ).toEqual({ text: "5", count: -1.5, fix: true, tags: ["a", "b"], at: { line: 3 }, either: 7 });
    expect(await run(["--no-fix", "--either", "x", "--tags", '["c"]'])).toEqual({
      fix: false,
      either: "x",
      tags: ["c"],
    });
    expect(await run(["--input", '{"text":"a","count":1}', "--count", "2"])).toEqual({ text: "a", count: 2 });
    expect(await run(["--", "--json", "a field"])).toEqual({ json: "a field" });
    expect(await run([], '{"text":"piped"}')).toEqual({ text: "piped" });
    expect(await run(["--input", "-"], '\uFEFF{"text":"dash"}')).toEqual({ text: "dash" });
    expect(await run(["--text", "x"], "not read")).toEqual({ text: "x" });
    expect(await run([], "  \n")).toEqual({});
    expect(await run([])).toEqual({});
  });

  it("[U1] does not wait for an open stdin if the tool takes no arguments", async () => {
    const at = await trusted({ "plain.ts": answering('"done"') });
    const child = spawn(process.execPath, [CLI, "run", "plain"], { cwd: at.project, env: at.env });
    const { code, stdout } = await ending(child);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "done\n" });
  });

  it("[U1][U6] prints a notice while it waits for stdin", async () => {
    const at = await trusted({ "echo.ts": ECHO });
    const child = spawn(process.execPath, [CLI, "run", "echo"], { cwd: at.project, env: at.env });
    child.stderr.once("data", () => child.stdin.end('{"text":"late"}'));
    expect(await ending(child)).toMatchObject({
      code: 0,
      stdout: '{"text":"late"}\n',
      stderr: "Waiting for JSON input on stdin. For an empty input, use: --input '{}'\n",
    });
  });

  it.each<[string[], string]>([
    [["--txt", "x"], 'There is no field --txt. Did you mean "--text"?'],
    [["--count", "many"], '--count takes number, not "many".'],
    [["--input", '{"text":\n x}'], "--input is not valid JSON: invalid symbol at line 2, column 2."],
    [["--input", "[]", "--text", "x"], "The input is not an object, so no fields can be added to it."],
  ])("[U1] refuses %j with exit code 2", async (args, message) => {
    const at = await trusted({ "echo.ts": ECHO });
    expect(await cli(at, ["run", "echo", ...args])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `toolwright: ${message}\n`,
    });
    expect(json(await cli(at, ["run", "echo", "--json", ...args]))).toEqual({
      ok: false,
      output: message,
      content: [],
      error: { code: "invalid_input", message },
      notes: { durationMs: 0 },
    });
  });

  it("[U1][P2] exits 2 for an input that the schema refuses, and for an unknown tool", async () => {
    const at = await trusted({ "echo.ts": ECHO });
    const bad = await cli(at, ["run", "echo", "--input", '{"count":"x"}', "--json"]);
    expect(bad.code).toBe(2);
    expect(json(bad)).toMatchObject({
      ok: false,
      error: { code: "invalid_input", data: { issues: [{ path: "/count" }] } },
    });
    expect(await cli(at, ["run", "eco"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: 'error: There is no tool "eco". Did you mean "echo"?\n',
    });
  });

  it("[U1] has exactly these keys as JSON", async () => {
    const at = await trusted({
      "fine.ts": answering('{ title: "T", output: "out", metadata: { a: 1 } }'),
      "bad.ts": answering('(() => { throw new Error("no luck"); })()'),
    });
    const fine = json(await cli(at, ["run", "fine", "--json"]));
    expect(fine).toEqual({
      ok: true,
      output: "out",
      content: [{ type: "text", text: "out" }],
      data: { a: 1 },
      notes: { title: "T", durationMs: expect.any(Number) },
    });
    const failed = await cli(at, ["run", "bad", "--json"]);
    expect(failed.code).toBe(1);
    expect(json(failed)).toEqual({
      ok: false,
      output: "no luck",
      content: [],
      error: { code: "failed", message: "no luck" },
      notes: { durationMs: expect.any(Number), thrownAt: expect.stringMatching(/bad\.ts:1:\d+$/) },
    });
    const { stderr, ...rest } = await cli(at, ["run", "bad"]);
    expect(rest).toMatchObject({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: no luck\n {2}at \.toolwright\/tools\/bad\.ts:1:\d+\n$/);
  });

  it("[U1][P6] prints progress, tool output and attachments to stderr", async () => {
    const at = await trusted({
      "noisy.ts": `export default {
  description: "Says a lot",
  async execute(_, context) {
    context.metadata({ title: "Working", metadata: { output: "one\\ntwo\\n" } });
    console.log("printed");
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { content: [{ type: "text", text: "answer" }, { type: "image", data: "AAAA", mimeType: "image/png" }] };
  },
};
`,
    });
    const { code, stdout, stderr } = await cli(at, ["run", "noisy"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "answer\n" });
    const [, path = ""] = /\[image, image\/png, 3 bytes: (.+)\]/.exec(stderr) ?? [];
    expect(path).toMatch(/\/outputs\/default\/[\w-]+\.attached\.png$/);
    expect(readFileSync(path)).toEqual(Buffer.from([0, 0, 0]));
    expect(stderr.split("\n").sort()).toEqual(["", "Working: two", `[image, image/png, 3 bytes: ${path}]`, "printed"]);
  });

  it("[P4] stops a call at --timeout", async () => {
    const at = await trusted({ "slow.ts": answering("new Promise(() => {})") });
    const { code, stderr } = await cli(at, ["run", "slow", "--timeout", "200"]);
    expect(code).toBe(1);
    expect(stderr).toContain('error: "slow" was stopped after 0.2 s, the time limit that this call set.');
  });

  it("[P4] is cancelled by Ctrl-C, and ended by a second one", async () => {
    const at = await trusted({
      "kind.ts": `export default { description: "Stops when told", execute: (_, context) => new Promise((_, reject) => {
        console.log("ready");
        context.abort.addEventListener("abort", () => reject(new Error("stopped")));
      }) };`,
      "deaf.ts": answering('(console.log("ready"), new Promise(() => {}))'),
    });
    const interrupted = async (name: string, times: number): Promise<unknown> => {
      const child = spawn(process.execPath, [CLI, "run", name], { cwd: at.project, env: at.env });
      child.stderr.once("data", () => {
        child.kill("SIGINT");
        if (times === 2) setTimeout(() => child.kill("SIGINT"), 100);
      });
      const { code, stderr } = await ending(child);
      return { code, cancelled: stderr.includes(`The call of "${name}" was cancelled.`) };
    };
    expect(await interrupted("kind", 1)).toEqual({ code: 1, cancelled: true });
    expect(await interrupted("deaf", 2)).toMatchObject({ code: 130 });
    expect(hosts()).toEqual([]);
  });

  it("[P3] refuses a call that needs approval if no person can be asked", async () => {
    const at = await trusted({
      "asks.ts": `export default { description: "Asks first", async execute(_, context) {
        await context.ask({ permission: "deploy", patterns: ["production"], always: [] });
        return "deployed";
      } };`,
    });
    const { code, stdout, stderr } = await cli(at, ["run", "asks"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("No person can be asked here");
  });
});

describe("new and init", () => {
  it.each([[["new", "mine"]], [["new", "mine", "--trust"]], [["init"]]])(
    "[D7] %j does not trust a project that already contains tool files, wherever they are",
    async (args) => {
      const { at, hasRun } = marked();
      const nested = join(at.project, "packages/a/.opencode/tool");
      mkdirSync(nested, { recursive: true });
      writeFileSync(join(nested, "x.ts"), readFileSync(join(at.tools, "spy.ts")));
      rmSync(join(at.tools, "spy.ts"));
      const { code, stdout } = await cli(at, args);
      expect(code).toBe(0);
      expect(stdout).toContain(`Read its files, then run:\n  toolwright trust --cwd ${at.project}\n`);
      await cli(at, ["list"], { cwd: join(at.project, "packages/a") });
      expect(hasRun()).toBe(false);
    },
  );

  it.each([[["new", "mine"]], [["init"]]])(
    "[D7] %j neither trusts a clone whose tools are behind a link, nor runs them in the folder of the link",
    async (args) => {
      const { at, hasRun } = marked();
      mkdirSync(join(at.project, "assets"));
      renameSync(at.tools, join(at.project, "assets/tools"));
      mkdirSync(join(at.project, "sub"));
      symlinkSync("../assets", join(at.project, "sub/.toolwright"));
      expect(json(await cli(at, [...args, "--json"]))).toMatchObject({ trusted: false });
      await cli(at, ["list"], { cwd: join(at.project, "sub") });
      expect(hasRun()).toBe(false);
    },
  );

  it.each([[["new", "mine"]], [["init"]]])(
    "[D7] %j in an empty folder of a clone with tools does not trust the clone",
    async (args) => {
      const { at } = marked();
      mkdirSync(join(at.project, "empty"));
      expect(json(await cli(at, [...args, "--json"], { cwd: join(at.project, "empty") }))).toMatchObject({
        trusted: false,
      });
    },
  );

  it.each(
    [".toolwright", ".toolwright/tools"].flatMap((link) => [
      [["new", "mine"], link],
      [["init"], link],
    ]) as [string[], string][],
  )("[X1] %j writes nothing through %s if that is a link out of an untrusted project", async (args, link) => {
    const at = sandbox();
    const outside = join(at.root, "outside");
    mkdirSync(outside);
    rmSync(join(at.project, ".toolwright"), { recursive: true });
    if (link.includes("/")) mkdirSync(join(at.project, ".toolwright"));
    symlinkSync(outside, join(at.project, link));
    const target = link.includes("/") ? outside : join(outside, "tools");
    expect(await cli(at, args)).toMatchObject({
      code: 2,
      stderr: `toolwright: ${at.tools} is a link out of this project, to ${target}, and the project is not trusted. Nothing was written. Delete the link, or, if it is yours, run: toolwright trust --cwd ${at.project}\n`,
    });
    expect(readdirSync(outside)).toEqual([]);
    await cli(at, ["trust"]);
    expect(await cli(at, args)).toMatchObject({ code: 0 });
  });

  it.each([[["new", "mine"]], [["init"]]])(
    "[D7] %j trusts a project without tools that has toolwright installed, unless another copy of it runs",
    async (args) => {
      const at = sandbox();
      const installed = join(at.project, "node_modules/toolwright");
      mkdirSync(installed, { recursive: true });
      cpSync(dirname(CLI), join(installed, "dist"), { recursive: true });
      for (const each of ["node_modules", "package.json"])
        symlinkSync(join(dirname(dirname(CLI)), each), join(installed, each));
      expect(json(await cli(at, [...args, "--json"]))).toMatchObject({ trusted: false });
      rmSync(join(at.project, ".toolwright"), { recursive: true });
      const own = spawn(process.execPath, [join(installed, "dist/cli.mjs"), ...args, "--json"], {
        cwd: at.project,
        env: at.env,
      });
      expect(json(await ending(own))).toMatchObject({ trusted: true });
    },
  );

  it("[D7] does not trust a project whose settings require trust", async () => {
    const at = sandbox();
    writeFileSync(join(at.project, ".toolwright/settings.json"), '{ "tools": { "paths": ["elsewhere"] } }');
    expect(json(await cli(at, ["new", "mine", "--json"]))).toMatchObject({ trusted: false });
  });
});

describe("trust", () => {
  it.each([
    [["list"]],
    [["list", "--json"]],
    [["show", "spy"]],
    [["run", "spy"]],
    [["run", "spy", "--input", "{}", "--json"]],
    [["check"]],
    [["new", "other"]],
    [["init"]],
    [["doctor"]],
    [["trust", "--remove"]],
    [["list", "--tools-path", ".toolwright/tools"]],
  ])("[D7] %j runs no code of an untrusted project", async (args) => {
    const { at, hasRun } = marked();
    await cli(at, args);
    expect(hasRun()).toBe(false);
  });

  it("[D7] reports what is blocked and how to allow it", async () => {
    const { at, hasRun } = marked();
    expect((await cli(at, ["list"])).stdout).toBe(`No tool can be called here.

1 tool file not run: this project is not trusted.
  .toolwright/tools/spy.ts
Read it, and if you agree with what it does, run: toolwright trust --cwd ${at.project}

${BUILT_IN}
`);
    expect(json(await cli(at, ["list", "--json"]))).toMatchObject({
      blocked: [
        { directory: at.tools, files: [join(at.tools, "spy.ts")], fix: `toolwright trust --cwd ${at.project}` },
      ],
    });
    expect(await cli(at, ["run", "spy"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `error: "spy" belongs to a project that is not trusted. To allow its tools, run: toolwright trust --cwd ${at.project}\n`,
    });
    const checked = await cli(at, ["check", "--json"]);
    const fix = `toolwright trust --cwd ${at.project}`;
    const blocked = [{ directory: at.tools, files: [join(at.tools, "spy.ts")], fix }];
    expect({ code: checked.code, ...json(checked) }).toEqual({
      code: 1,
      files: [],
      tools: [],
      hooks: [],
      problems: [],
      blocked,
      ok: false,
    });
    expect(hasRun()).toBe(false);
  });

  it("[D7] runs all tools of a trusted project, until the trust is revoked", async () => {
    const { at, hasRun } = marked();
    expect((await cli(at, ["trust"])).stdout).toBe(`Trusted ${at.project}
Its tool files, packages and MCP servers can now run with your rights, including files added later, and all its settings apply.

These files can run now:
  .toolwright/tools/spy.ts

To undo: toolwright trust --remove --cwd ${at.project}
`);
    // It has read the file, so that servers list its tools at once.
    expect(hasRun()).toBe(true);
    expect(await cli(at, ["run", "spy"])).toMatchObject({ code: 0, stdout: "spied\n" });
    expect((await cli(at, ["trust"])).stdout).toBe(`${at.project} was already trusted.\n`);
    expect((await cli(at, ["trust", "--remove"])).stdout).toBe(
      `${at.project} is no longer trusted. Nothing of it runs.\n`,
    );
    expect((await cli(at, ["run", "spy"])).code).toBe(1);
  });

  it("[D7][K2] trusts for one run with --trust, and with TOOLWRIGHT_TRUST=1", async () => {
    const { at } = marked();
    expect(await cli(at, ["run", "spy", "--trust"])).toMatchObject({ code: 0, stdout: "spied\n" });
    expect(await cli(at, ["run", "spy"], { env: { TOOLWRIGHT_TRUST: "1" } })).toMatchObject({ code: 0 });
    expect(await cli(at, ["run", "spy"])).toMatchObject({ code: 1 });
  });
});

describe("on a terminal", () => {
  const hasScript = spawnSync("script", ["--version"]).status === 0;

  /** Runs a command in a new pseudo-terminal and types the answers. */
  async function typed(
    at: Sandbox,
    args: readonly string[],
    answer: string,
  ): Promise<{ code: number | null; shown: string }> {
    const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(" ");
    const child = spawn("script", ["-qec", words, "/dev/null"], { cwd: at.project, env: { ...at.env, TERM: "xterm" } });
    let asked = false;
    child.stdout.on("data", (text: Buffer) => {
      if (asked || !text.toString().includes("[y/N]")) return;
      asked = true;
      child.stdin.write(`${answer}\n`);
    });
    const { code, stdout } = await ending(child);
    return { code, shown: stdout };
  }

  it.skipIf(!hasScript)("[D7] offers to trust the project of a blocked tool", async () => {
    const { at, hasRun } = marked();
    const refused = await typed(at, ["run", "spy"], "n");
    expect(refused.shown).toContain(`Trust ${at.project}? [y/N]`);
    expect({ code: refused.code, ran: hasRun() }).toEqual({ code: 1, ran: false });
    const agreed = await typed(at, ["run", "spy"], "y");
    expect(agreed.code).toBe(0);
    expect(agreed.shown).toContain("spied");
    expect(await cli(at, ["run", "spy"])).toMatchObject({ code: 0, stdout: "spied\n" });
  });

  it.skipIf(!hasScript)("[P3] asks the person at the terminal for permission", async () => {
    const at = await trusted({
      "asks.ts": `export default { description: "Asks first", async execute(_, context) {
        await context.ask({ permission: "deploy", patterns: ["production"], always: [] });
        return "deployed";
      } };`,
    });
    const yes = await typed(at, ["run", "asks"], "y");
    expect(yes.shown).toContain('"asks" asks for permission: deploy. (production)');
    expect({ code: yes.code, done: yes.shown.includes("deployed") }).toEqual({ code: 0, done: true });
    const no = await typed(at, ["run", "asks"], "");
    expect({ code: no.code, done: no.shown.includes("deployed") }).toEqual({ code: 1, done: false });
  });
});

describe("doctor", () => {
  it("[U1] finds no problem", async () => {
    const at = await trusted({ "a.ts": answering('""') });
    const { code, stdout } = await cli(at, ["doctor"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`ok    Project ${at.project}, trusted\n`);
    expect(stdout).toContain(`ok    Tools folder ${at.tools} (project): 1 file\n`);
    expect(stdout).toMatch(
      /\nok {4}A host process started and answered in \d+ ms\nok {4}1 tool and 15 built-in tools, 0 problems\n$/,
    );
  });

  it("[U1][U6] explains how to fix each problem", async () => {
    const { at } = marked();
    const file = join(at.root, "file");
    writeFileSync(file, "");
    const result = await cli(at, ["doctor", "--json"], { env: { TOOLWRIGHT_CACHE: join(file, "cache") } });
    const report = json<{ ok: boolean; checks: { name: string; status: string; fix?: string }[] }>(result);
    expect({ code: result.code, ok: report.ok }).toEqual({ code: 1, ok: false });
    expect(report.checks.filter(({ status }) => status !== "ok")).toEqual([
      {
        name: "cache",
        status: "fail",
        message: `The folder for cache cannot be used: ${file} is not a folder`,
        fix: "Make it a folder that you can write to, or set TOOLWRIGHT_HOME to another.",
      },
      {
        name: "project",
        status: "warn",
        message: `Project ${at.project} is not trusted: its tools do not run`,
        fix: `Read its files, then run: toolwright trust --cwd ${at.project}`,
      },
    ]);
    expect(Object.keys(report)).toEqual(["ok", "checks"]);
  });
});

describe("after these tests", () => {
  it("[P5] no process is left behind", () => {
    expect(hosts()).toEqual([]);
  });
});
