import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readSettings } from "../../src/settings/read-settings.ts";
import { CLI, cli, ensureBuilt, json } from "../support/cli.ts";
import { patternOf, type Step, stepsOf } from "../support/docs.ts";
import { makeSandbox, type Sandbox } from "../support/fixture.ts";
import { following } from "../support/http-command.ts";
import { hosts, startedWith } from "../support/processes.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DOCS = join(ROOT, "docs");
const PAGES = readdirSync(DOCS).filter((name) => name.endsWith(".md"));

beforeAll(ensureBuilt);

describe("docs", () => {
  it.each(PAGES)(
    "[Z4] %s: every command and program prints what the page shows",
    { timeout: 120_000 },
    async (page) => {
      let at = await reader("trusted");
      for (const step of stepsOf(join(DOCS, page))) {
        if (step.kind === "new project") at = await reader("untrusted");
        else follow(step, at, page);
      }
    },
  );

  it("[Z4] links point to existing files and headings, and the README names every page", () => {
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    for (const page of PAGES) expect(readme).toContain(`](docs/${page})`);
    const texts = [
      ...PAGES.map((page) => join(DOCS, page)),
      ...["README.md", "SECURITY.md"].map((at) => join(ROOT, at)),
    ];
    expect(texts.flatMap(brokenLinks)).toEqual([]);
  });

  it("[G8][Z4] the page about libraries quotes the examples", () => {
    const page = readFileSync(join(DOCS, "use-in-a-library.md"), "utf8");
    const examples = join(ROOT, "examples/libraries");
    const quotes = readdirSync(examples).map(
      (file) => `\`\`\`ts\n${readFileSync(join(examples, file), "utf8")}\`\`\`\n`,
    );
    for (const quote of quotes) expect(page).toContain(quote);
  });

  it("[A10][Z4] examples pass the type check in a project prepared with init", async () => {
    const at = await reader("untrusted");
    await cli(at, ["init"]);
    for (const page of ["writing-tools.md", "command-line.md", "library.md"]) {
      for (const step of stepsOf(join(DOCS, page))) {
        if (step.kind === "file" && step.file.endsWith(".ts")) write(at, step.file, step.text);
      }
    }
    for (const name of ["@types/node", "undici-types"]) link(join(ROOT, "node_modules", name), at, name);
    const config = join(at.project, ".toolwright/tsconfig.json");
    const options = '"compilerOptions": {';
    writeFileSync(config, readFileSync(config, "utf8").replace(options, `${options} "types": ["node"],`));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    expect(run(at, process.execPath, [tsc, "-p", config])).toEqual({ said: "", code: 0 });
  });

  it("[Z4] the README's tool loads and runs with the README's commands", async () => {
    const at = await reader("untrusted");
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    const [, file = "", source = ""] = /A tool, in `([^`]+)` of your project:\n\n```ts\n([^`]*)```/.exec(readme) ?? [];
    write(at, file, source);
    expect(await cli(at, ["trust"])).toMatchObject({ code: 0 });
    const { tools } = json<{ tools: { source: string }[] }>(await cli(at, ["list", "--json"]));
    expect(tools.filter(({ source }) => source !== "builtin")).toMatchObject([
      {
        name: "history",
        description: "Lists the last ten commits that changed a file.",
        inputSchema: {
          properties: { filePath: { type: "string", description: "The file, relative to the project" } },
          required: ["filePath"],
        },
      },
    ]);
    // Without git on PATH the tool fails, which shows that it was called.
    const runs = [...readme.matchAll(/^toolwright (run history .*?)(?: +#.*)?$/gm)].map(([, words = ""]) => words);
    expect(runs).toHaveLength(2);
    for (const words of runs) {
      const args = words.replaceAll("'", "").split(" ");
      const ended = await cli(at, args, { env: { PATH: "" } });
      expect(ended.code).toBe(1);
      expect(ended.stdout + ended.stderr).toContain("spawn git ENOENT");
    }
  });

  it("[Z4] the lint tool of the docs shows findings, says that there are none, and fails without its program", async () => {
    const at = await reader("trusted");
    const step = stepsOf(join(DOCS, "writing-tools.md")).find(
      (each) => each.kind === "file" && each.file.endsWith("lint.ts"),
    );
    if (step?.kind === "file") write(at, step.file, step.text);
    write(at, "bad.js", "const a = ;\n");
    write(at, "good.js", "const a = 1;\n");
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
    const lint = (filePath: string, more: Record<string, string> = env) =>
      cli(at, ["run", "lint", "--filePath", filePath], { env: more });
    const found = await lint("bad.js");
    expect(found.code).toBe(0);
    expect(found.stdout).toMatch(/bad\.js:1\nconst a = ;\n +\^\n\nSyntaxError: Unexpected token ';'/);
    expect(await lint("good.js")).toMatchObject({ code: 0, stdout: "No findings.\n" });
    expect(await lint("bad.js", { PATH: "" })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("spawn node ENOENT"),
    });
  });

  it("[Z4][S1] npm start prints what the README shows, its call works, and SIGTERM ends the server", async () => {
    const at = makeSandbox();
    onTestFinished(at.remove);
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    const [, says = ""] = /```text\n(Serving the tools of [^`]*)```/.exec(readme) ?? [];
    const [, answer = ""] = /```json\n([^`]*)```/.exec(readme) ?? [];
    // Without the build: it replaces the files that other tests run.
    const args = ["start", "--ignore-scripts", "--silent", "--", "--port", "0"];
    const env = { ...at.env, PATH: process.env.PATH ?? "" };
    const { child, until, ended } = following(
      spawn("npm", args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] }),
    );
    const text = await until("Ctrl-C to stop.\n");
    const [origin = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
    expect(text.replaceAll(origin, "http://127.0.0.1:4141")).toMatch(patternOf(says));
    const [, call = ""] = /\n {2}(curl .*)\n/.exec(text) ?? [];
    expect(`${run({ ...at, env }, "/bin/sh", ["-c", `${call} --silent`]).said}\n`).toMatch(patternOf(answer));
    child.kill("SIGTERM");
    await ended;
    await expect
      .poll(() =>
        fetch(`${origin}/healthz`).then(
          () => "answers",
          () => "gone",
        ),
      )
      .toBe("gone");
    expect(startedWith(at.home)).toEqual([]);
  });

  afterAll(() => expect(hosts()).toEqual([]));
});

/** The links of a text to files or headings that do not exist. */
function brokenLinks(file: string): string[] {
  const links = [...readFileSync(file, "utf8").matchAll(/\]\(([^)#:]*)(?:#([^)]+))?\)/g)];
  return links.flatMap(([, path = "", anchor]) => {
    const target = path === "" ? file : resolve(dirname(file), path);
    const isBroken = !existsSync(target) || (anchor !== undefined && !anchorsIn(target).includes(anchor));
    return isBroken ? [`${file}: ${path}#${anchor ?? ""}`] : [];
  });
}

/** The anchors that GitHub generates for the headings of a page. */
function anchorsIn(file: string): string[] {
  const headings = readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

/** A sandbox with a project, a home and the command `toolwright`. */
async function reader(trust: "trusted" | "untrusted"): Promise<Sandbox> {
  const made = makeSandbox();
  onTestFinished(made.remove);
  const bin = join(made.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "toolwright"), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, { mode: 0o755 });
  const at = { ...made, env: { ...made.env, PATH: `${bin}:/usr/bin:/bin` } };
  if (trust === "trusted") expect(await cli(at, ["trust"])).toMatchObject({ code: 0 });
  return at;
}

function follow(step: Exclude<Step, { kind: "new project" }>, at: Sandbox, page: string): void {
  if (step.kind === "file") return writeBlock(step, at);
  const { said, code } = step.kind === "shell" ? run(at, "/bin/sh", ["-c", step.commands]) : program(at, step.file);
  expect(said, `docs/${page}:${step.line}`).toMatch(patternOf(step.says));
  if (step.kind === "program") expect(code).toBe(0);
}

/** Settings on a page must be valid. */
function writeBlock({ file, text }: Step & { kind: "file" }, at: Sandbox): void {
  const written = write(at, file, text);
  if (file.endsWith("settings.json")) expect(readSettings(written).warnings).toEqual([]);
}

/** Removes the file-name comment from JSON files. */
function write({ project, home }: Sandbox, file: string, text: string): string {
  const path = file.startsWith("~/") ? join(home, file.slice(2)) : join(project, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, file.endsWith(".json") ? text.slice(text.indexOf("\n") + 1) : text);
  return path;
}

/** Runs a program of the page, with this package installed in the project. */
function program(at: Sandbox, file: string): { said: string; code: number | null } {
  link(ROOT, at, "toolwright");
  return run(at, process.execPath, [file]);
}

function link(target: string, { project }: Sandbox, name: string): void {
  const path = join(project, "node_modules", name);
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) symlinkSync(target, path);
}

/** Returns stdout and stderr in the order of writing. */
function run(
  { project, env }: Sandbox,
  command: string,
  args: readonly string[],
): { said: string; code: number | null } {
  const both = spawnSync("/bin/sh", ["-c", 'exec "$@" 2>&1', "sh", command, ...args], {
    cwd: project,
    env,
    encoding: "utf8",
  });
  return { said: both.stdout, code: both.status };
}
