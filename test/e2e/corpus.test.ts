import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, delimiter, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import draft7 from "ajv/dist/refs/json-schema-draft-07.json" with { type: "json" };
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBun } from "../../src/catalog/hosts/find-bun.ts";
import type { ProblemCode } from "../../src/core/problem.ts";
import { outputOf } from "../../src/core/result.ts";
import { createToolbox } from "../../src/index.ts";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import { cli, ensureBuilt, json } from "../support/cli.ts";
import { makeSandbox, type Sandbox } from "../support/fixture.ts";
import { BUN_FOLDER, installed, MODULES } from "../support/installed.ts";
import { hosts, startedWith } from "../support/processes.ts";

/** A call of a tool of the corpus, and its expected result. Calls run in this order. */
interface CorpusCall {
  readonly tool: string;
  readonly input: unknown;
  /** Omitted if it depends on the machine. */
  readonly output?: string;
  readonly fails?: boolean;
  readonly needs?: HostRequest;
}

type HostRequest = "bun" | "frameworks" | "mcp-servers";

const CORPUS = fileURLToPath(new URL("../corpus", import.meta.url));
const SESSION = "corpus";

/** The folder for the files of each system. Files for frameworks and MCP servers are in configured folders. */
const PLACES: Readonly<Record<string, string>> = {
  pi: "project/.pi/extensions",
  omp: "project/.omp/tools",
  opencode: "project/.opencode/tool",
  "opencode-plugins": "project/.opencode/plugins",
  atomic: "project/.atomic/tools",
  claude: "project/.claude/tools",
  codex: "project/.codex/tools",
  roo: "project/.roo/tools",
  amp: "project/.amp/plugins",
  copilot: "project/.github/extensions",
  openclaw: "project/.openclaw/extensions",
  toolwright: "project/.toolwright/tools",
  frameworks: "project/agent/tools",
  "mcp-servers": "project/agent/servers",
  xmcp: "project/mcp/tools",
  aynd: "home/.config/aynd/tools",
  qraftbox: "home/.config/qraftbox/tools",
};
const SYSTEMS = Object.keys(PLACES);
const CONFIGURED = ["agent/tools", "agent/servers"];

/** They use the network. */
const NOT_CALLED = ["check-api", "deployment-status", "report-incident", "set-replicas"];

/** The extensions of tool files. */
const FILES = globSync(
  "*/{*.{ts,mts,js,mjs,cjs,json},*/{index.{ts,js,mjs},extension.mjs},units/src/main.ts,journal/src/index.ts,reports/*.ts}",
  { cwd: CORPUS },
)
  .filter((file) => !file.startsWith("project/") && basename(file) !== "calls.json")
  .sort();

const FILES_FOR: Readonly<Record<HostRequest, readonly string[]>> = {
  bun: ["branch", "disk", "head", "tags"].map((name) => `opencode/${name}.ts`),
  frameworks: FILES.filter((file) => file.startsWith("frameworks/")),
  "mcp-servers": FILES.filter((file) => file.startsWith("mcp-servers/") && !/glossary|register/.test(file)),
};

const PATH = `${BUN_FOLDER}${delimiter}${process.env.PATH}`;
const noBun = await installed("bun");

/** Why a requirement is missing on this machine. */
const MISSING: Readonly<Record<HostRequest, string | undefined>> = {
  bun: findBun({ PATH }, { home: CORPUS, project: CORPUS }) === undefined ? noBun : undefined,
  frameworks: await installed("frameworks"),
  "mcp-servers": await installed("mcp-servers"),
};
const CODES: Readonly<Record<HostRequest, ProblemCode>> = {
  bun: "needs_bun",
  frameworks: "import_failed",
  "mcp-servers": "import_failed",
};
const NEEDS = ["bun", "frameworks", "mcp-servers"] as const;

/** The problems of files that cannot run on this machine. */
const EXPECTED_PROBLEMS = NEEDS.filter((need) => MISSING[need] !== undefined)
  .flatMap((need) => FILES_FOR[need].map((file) => `${file} ${CODES[need]}`))
  .sort();

function callsOf(system: string): readonly CorpusCall[] {
  const calls = JSON.parse(readFileSync(join(CORPUS, system, "calls.json"), "utf8")) as CorpusCall[];
  const needs = NEEDS.find((each) => each === system);
  return needs === undefined ? calls : calls.map((call) => ({ ...call, needs }));
}

function copyTo(at: Sandbox): void {
  cpSync(join(CORPUS, "project"), at.project, { recursive: true });
  for (const [system, place] of Object.entries(PLACES)) {
    const filter = (file: string): boolean => file !== join(CORPUS, system, "calls.json");
    cpSync(join(CORPUS, system), join(at.root, place), { recursive: true, filter });
  }
  for (const each of ["frameworks", "mcp-servers"] as const) {
    if (MISSING[each] === undefined) symlinkSync(MODULES[each], join(at.root, PLACES[each] ?? "", "node_modules"));
  }
}

function corpusSandbox(): ReturnType<typeof makeSandbox> {
  const made = makeSandbox();
  const temporary = join(made.root, "tmp");
  mkdirSync(temporary);
  return { ...made, env: { ...made.env, PATH, TMPDIR: temporary } };
}

describe("[A9] [D1] tool files of every system, unchanged, in one toolbox", () => {
  const at = corpusSandbox();
  let toolbox: Toolbox;
  let log = "";

  /** A file by its path in the corpus. */
  const inCorpus = (file: string): string => {
    const path = relative(at.root, file);
    const [system, place] = Object.entries(PLACES).find(([, each]) => path.startsWith(`${each}/`)) ?? ["", ""];
    return join(system, relative(place, path));
  };
  const shown = (problems: readonly { file: string; code: string }[]): string[] =>
    problems.map(({ file, code }) => `${inCorpus(file)} ${code}`).sort();

  beforeAll(async () => {
    ensureBuilt();
    copyTo(at);
    toolbox = await createToolbox({
      cwd: at.project,
      env: at.env,
      trust: true,
      builtins: false,
      toolsPaths: CONFIGURED,
    });
    toolbox.on("log", ({ text }) => {
      log += text;
    });
    await toolbox.sessions.start(SESSION);
  });
  afterAll(async () => {
    await toolbox?.close();
    at.remove();
  });

  it("include many tools", () => {
    expect(FILES.length).toBeGreaterThanOrEqual(44);
  });

  it("[D5] load without a problem", () => {
    expect(shown(toolbox.problems())).toEqual(EXPECTED_PROBLEMS);
    expect(toolbox.status.shadowed).toEqual([]);
    expect(toolbox.status.files.map(({ file }) => inCorpus(file)).sort()).toEqual(FILES);
  });

  it("[A1] [A5] [A6] [A7] [A8] [A13] [A15] [R1] cover all forms", () => {
    const forms = new Set(toolbox.status.files.map(({ about }) => about?.format));
    const local = [
      "define",
      "factory",
      "json",
      "opencode-plugin",
      "openclaw-plugin",
      "pi-extension",
      "sdk",
      "tool",
      "ai-sdk",
      "roo",
      "amp-plugin",
      "mcp-module",
      "xmcp",
    ];
    const foreign = MISSING.frameworks === undefined ? ["langchain", "mastra", "openai-agents"] : [];
    expect([...forms].filter((form) => form !== undefined).sort()).toEqual([...local, ...foreign].sort());
  });

  it("[P2] are listed with schemas of objects that compile", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addMetaSchema(draft7);
    for (const { name, description, inputSchema } of toolbox.list({ sessionID: SESSION })) {
      expect({ name, type: inputSchema.type, described: description.trim() !== "" }).toEqual({
        name,
        type: "object",
        described: true,
      });
      expect(() => ajv.compile(inputSchema), name).not.toThrow();
    }
  });

  describe.each(SYSTEMS)("[A4] tools of %s return:", (system) => {
    for (const [index, { tool, input, output, fails = false, needs }] of callsOf(system).entries()) {
      const missing = needs && MISSING[needs];
      it.skipIf(missing)(`${index + 1}. ${tool}${missing ? ` (${missing})` : ""}`, async () => {
        const result = await toolbox.call({ name: tool, input, sessionID: SESSION }).result;
        expect({ ok: result.ok, output: outputOf(result) }).toEqual({
          ok: !fails,
          output: output ?? expect.any(String),
        });
      });
    }
  });

  it("print to the log", () => {
    expect(log).toMatch(/^standup for Ada \d+$/m);
  });

  it("are all called, except those that use the network", () => {
    const called = new Set(SYSTEMS.flatMap((system) => callsOf(system).map(({ tool }) => tool)));
    const silent = toolbox.list().filter(({ name }) => !called.has(name));
    expect(silent.map(({ name }) => name)).toEqual(NOT_CALLED);
  });

  it("[U1] pass check", async () => {
    const ended = await cli(at, [
      "check",
      "--json",
      "--trust",
      ...CONFIGURED.flatMap((path) => ["--tools-path", path]),
    ]);
    const report = json<{ files: { file: string }[]; problems: { file: string; code: string }[]; ok: boolean }>(ended);
    expect(shown(report.problems)).toEqual(EXPECTED_PROBLEMS);
    expect(report.files.map(({ file }) => inCorpus(file)).sort()).toEqual(FILES);
    expect({ ok: report.ok, code: ended.code }).toEqual(
      EXPECTED_PROBLEMS.length === 0 ? { ok: true, code: 0 } : { ok: false, code: 1 },
    );
  });

  it("[P5] leave no process behind", async () => {
    await toolbox.close();
    expect(hosts()).toEqual([]);
    await expect.poll(() => startedWith(at.home), { timeout: 10_000 }).toEqual([]);
  });
});
