import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { cli, ensureBuilt, json } from "../support/cli.ts";
import { sandbox, writeTool } from "../support/fixture.ts";
import { answering } from "../support/toolbox.ts";

beforeAll(ensureBuilt);

/** Every format, its files, and further arguments of its tool beside `--name`. */
const FORMATS: readonly (readonly [format: string, files: readonly string[], more: readonly string[], says: string])[] =
  [
    ["tool", ["greet.ts"], ["--times", "2"], "Hello, Ada!\nHello, Ada!"],
    ["factory", ["greet.ts"], ["--times", "2"], "Hello, Ada!\nHello, Ada!"],
    ["json", ["greet.json"], ["--greeting", "Good $(morning)"], "Good $(morning), Ada!"],
    ["define", ["greet.ts", "greet.txt"], ["--times", "2"], "Hello, Ada!\nHello, Ada!"],
    ["pi-extension", ["greet.ts"], ["--times", "2"], "Hello, Ada!\nHello, Ada!"],
    ["opencode-plugin", ["greet.ts"], ["--times", "2"], "Hello, Ada!\nHello, Ada!"],
    ["sdk", ["greet.ts"], ["--times", "2"], "Hello, Ada!\nHello, Ada!"],
  ];

describe("new", () => {
  it.each(FORMATS)("[A11][D7] writes a %s that works with the printed command", async (format, files, more, says) => {
    const at = sandbox();
    const made = await cli(at, ["new", "greet", "--format", format]);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const lines = made.stdout.trimEnd().split("\n");
    expect(lines.slice(0, files.length)).toEqual(files.map((file) => `Wrote .toolwright/tools/${file}`));
    expect(lines.slice(-2)).toEqual(["Try it:", "  toolwright run greet --name World"]);
    expect(readdirSync(at.tools)).toEqual(files);

    const command = lines.at(-1)?.trim().split(" ").slice(1) ?? [];
    const run = await cli(at, command);
    expect({ code: run.code, says: run.stdout.trimEnd() }).toEqual({ code: 0, says: "Hello, World!" });
    const again = await cli(at, ["run", "greet", "--name", "Ada", ...more]);
    expect({ code: again.code, says: again.stdout.trimEnd() }).toEqual({ code: 0, says });
    expect((await cli(at, ["run", "greet", "--times", "3"])).code).toBe(2);
  });

  it.each(FORMATS)("[A11][U1] writes a %s that passes check", async (format, files) => {
    const at = sandbox();
    await cli(at, ["new", "greet", "--format", format]);
    const file = join(at.tools, files[0] as string);
    expect(json(await cli(at, ["check", "--json"]))).toMatchObject({
      ok: true,
      files: [{ file, format, unsupportedFeatures: [], tools: ["greet"] }],
      tools: [{ name: "greet", file, format, warnings: [] }],
    });
  });

  it("[A11] lists every written file in its JSON, the one with the tool first", async () => {
    const at = sandbox();
    const files = [join(at.tools, "greet.ts"), join(at.tools, "greet.txt")];
    expect(json(await cli(at, ["new", "greet", "--format", "define", "--json"]))).toEqual({
      name: "greet",
      file: files[0],
      files,
      run: "toolwright run greet --name World",
      project: at.project,
      trusted: true,
    });
  });

  it("[A11] explains a JSON file, which has no comments, in its output", async () => {
    const at = sandbox();
    const { stdout } = await cli(at, ["new", "greet", "--format", "json"]);
    expect(stdout).toBe(`Wrote .toolwright/tools/greet.json

JSON has no comments. What to change:
  description  a model reads it to decide when to call the tool: say what it does and when to use it
  inputSchema  the arguments, as JSON Schema; a model reads their descriptions too
  command      runs in the project's folder; {{name}} is replaced with the argument, never parsed by the shell
  type         "shell", "http" (a request: url, method, headers) or "file-read" (a file below basePath)

Try it:
  toolwright run greet --name World
`);
  });

  it.each(FORMATS.filter(([format]) => format !== "json"))("[A11] explains a %s in comments", async (format) => {
    const at = sandbox();
    await cli(at, ["new", "greet", "--format", format]);
    const lines = readFileSync(join(at.tools, "greet.ts"), "utf8").split("\n");
    expect(lines.filter((line) => line.trimStart().startsWith("//")).length).toBeGreaterThanOrEqual(7);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  it("[A11] writes for all projects with --global, and elsewhere with --cwd", async () => {
    const at = sandbox();
    expect((await cli(at, ["new", "everywhere", "--global", "--format", "json"])).code).toBe(0);
    expect(readdirSync(join(at.home, ".toolwright/tools"))).toEqual(["everywhere.json"]);
    const { run } = json<{ run: string }>(await cli(at, ["new", "there", "--cwd", at.project, "--json"], { cwd: "/" }));
    expect(run).toBe(`toolwright run there --name World --cwd ${at.project}`);
    expect(await cli(at, run.split(" ").slice(1), { cwd: "/" })).toMatchObject({ code: 0, stdout: "Hello, World!\n" });
  });

  it("[A11] refuses invalid names", async () => {
    const at = sandbox();
    expect(await cli(at, ["new", "a b"])).toMatchObject({
      code: 2,
      stderr: `toolwright: "a b" is not a valid tool name. Use 1 to 64 letters, digits, "_" and "-", as in my_tool.\n`,
    });
    expect((await cli(at, ["new", "../up"])).code).toBe(2);
  });

  it.each(["taken.mjs", "taken.json", "taken.txt", "taken"])("[A11] writes nothing beside %s", async (name) => {
    const at = sandbox();
    if (name === "taken") mkdirSync(join(at.tools, name));
    else writeTool(at, name, answering('""'));
    expect(await cli(at, ["new", "taken", "--format", "define"])).toMatchObject({
      code: 2,
      stderr: `toolwright: ${join(at.tools, name)} already exists. Choose another name, or delete it first.\n`,
    });
    expect(readdirSync(at.tools)).toEqual([name]);
  });

  it("[A11] lists the available formats", async () => {
    const at = sandbox();
    expect(await cli(at, ["new", "x", "--format", "yaml"])).toMatchObject({
      code: 2,
      stderr: `toolwright: Unknown format "yaml". Formats: ${FORMATS.map(([format]) => format).join(", ")}.\n`,
    });
    expect((await cli(at, ["new", "x", "--format", "factry"])).stderr).toContain('Did you mean "factory"?');
    const { stdout } = await cli(at, ["new", "--help"]);
    for (const [format] of FORMATS) expect(stdout).toMatch(new RegExp(`^  ${format} +\\S`, "m"));
  });
});
