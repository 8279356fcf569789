import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { findInstallations } from "../src/agents/setup/find-installations.ts";
import { inspectProject } from "../src/catalog/inspect-project.ts";
import { cli, ensureBuilt } from "./support/cli.ts";
import { project, type Sandbox, sandbox } from "./support/fixture.ts";
import { put } from "./support/temporary.ts";

beforeAll(ensureBuilt);

const USER_SETTINGS = JSON.stringify({ mcp: { import: true } });

/** The problems that discovery and findInstallations report for a project. */
function saidOf(at: Sandbox): string {
  put(join(at.env.TOOLWRIGHT_HOME as string, "settings.json"), USER_SETTINGS);
  const seen = inspectProject({ cwd: at.project, env: at.env, toolsPaths: [], trust: false });
  const surroundings = { env: at.env, home: at.home, cwd: at.project, platform: process.platform, project: at.project };
  return JSON.stringify([seen, findInstallations(surroundings, { command: "/node", args: ["/cli.mjs", "mcp"] })]);
}

const MCP = '{ "mcpServers": { "SECRET": { "command": "SECRET" } } }';
const CONFIGS: readonly (readonly [path: string, texts: readonly string[]])[] = [
  [".toolwright/settings.json", ['{ "SECRET": 1 }', "SECRET=1", '{ "mode": "SECRET" }']],
  ["package.json", ["SECRET=1", '{ "dependencies": { "x": "SECRET" } }']],
  ["node_modules/x/package.json", ['"toolwright" SECRET', '{ "toolwright": { "tools": ["SECRET.ts"] } }']],
  [".mcp.json", [MCP, '{ "mcpServers": { "SECRET": 1 } }', "SECRET"]],
  [".github/mcp.json", [MCP]],
  [".copilot/mcp-config.json", [MCP]],
  ["opencode.json", ['{ "mcp": { "SECRET": { "command": 1 } } }']],
  [".opencode/opencode.jsonc", ['{ "mcp": { "SECRET": { "command": ["SECRET"] } } }']],
  [".pi/settings.json", ['{ "extensions": ["../SECRET.ts"], "packages": ["npm:SECRET"] }', '{ "SECRET": [ }']],
  [".cursor/mcp.json", ['{ "mcpServers": { "toolwright": { "command": "SECRET" } } }']],
  [".gemini/settings.json", ['{ "mcpServers": { "toolwright": { "command": "SECRET" } } }']],
];

/** A project without problems, to which a test adds a file. */
function ordinary(): Sandbox {
  return project({ "package.json": '{ "dependencies": { "x": "1" } }' });
}

function link(at: Sandbox, to: string, path: string): void {
  const place = join(at.project, path);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(to, place);
}

type Linking = (at: Sandbox, path: string, real: string) => void;

const LINKS: readonly (readonly [string, Linking])[] = [
  ["a link", (at, path, real) => link(at, real, path)],
  [
    "a link to a link",
    (at, path, real) => {
      link(at, real, "middle");
      link(at, join(at.project, "middle"), path);
    },
  ],
  [
    "its folder",
    (at, path, real) => {
      if (dirname(path) === ".") link(at, real, path);
      else link(at, dirname(real), dirname(path));
    },
  ],
];

describe("[X1] [D7] an untrusted project shows no content behind its links", () => {
  it.each(CONFIGS.flatMap(([path, texts]) => LINKS.map(([how, make]) => [path, how, make, texts] as const)))(
    "%s, by %s",
    (path, _, make, texts) => {
      for (const text of texts) {
        const at = ordinary();
        make(at, path, put(join(at.root, "outside", path), text));
        expect(saidOf(at)).not.toContain("SECRET");
      }
    },
  );

  it("nor does a command print such content", async () => {
    const at = ordinary();
    put(join(at.env.TOOLWRIGHT_HOME as string, "settings.json"), USER_SETTINGS);
    for (const [path, [text = ""]] of CONFIGS) link(at, put(join(at.root, "outside", path), text), path);
    for (const args of [["list"], ["list", "--json"], ["check"], ["doctor"], ["install"], ["new", "a"], ["trust"]]) {
      const { stdout, stderr } = await cli(at, args);
      expect(stdout + stderr).not.toContain("SECRET");
    }
  });

  it.each([".toolwright/tools", ".toolwright", ".opencode/tool", ".claude", ".pi/extensions"])(
    "%s: the names of files in a folder outside are not listed",
    (path) => {
      const at = ordinary();
      rmSync(join(at.project, ".toolwright"), { recursive: true });
      for (const folder of ["", "tools", "tool", "extensions"]) put(join(at.root, "outside", folder, "SECRET.ts"));
      link(at, join(at.root, "outside"), path);
      expect(saidOf(at)).not.toContain("SECRET");
      const { discovered } = inspectProject({ cwd: at.project, env: at.env, toolsPaths: [], trust: false });
      expect(discovered.problems.map(({ message }) => message)).toContainEqual(
        expect.stringMatching(
          /^This tools folder is a link out of the project, to .*\. It is not read before the project is trusted\. If the link is yours, run: toolwright trust --cwd /,
        ),
      );
    },
  );

  it("each file is reported with the reason and with advice", () => {
    const at = ordinary();
    const real = put(join(at.root, "outside/a.json"), "SECRET");
    put(join(at.env.TOOLWRIGHT_HOME as string, "settings.json"), USER_SETTINGS);
    for (const path of [".toolwright/settings.json", "package.json", ".mcp.json"]) link(at, real, path);
    const { warnings, discovered } = inspectProject({ cwd: at.project, env: at.env, toolsPaths: [], trust: false });
    const why = `It is not read: it leads out of the project, to ${real}, and the project is not trusted. If the link is yours, run: toolwright trust`;
    expect(warnings).toEqual([{ file: join(at.project, ".toolwright/settings.json"), message: why }]);
    expect(discovered.problems).toEqual([
      { file: join(at.project, "package.json"), code: "unreadable", message: why },
      { file: join(at.project, ".mcp.json"), code: "unreadable", message: why },
    ]);
  });
});

describe.skipIf(process.platform === "win32")("[X1] a file that is not regular, or too large, is not opened", () => {
  it.each(CONFIGS.map(([path]) => path))("%s", (path) => {
    const at = ordinary();
    const file = join(at.project, path);
    mkdirSync(dirname(file), { recursive: true });
    const kinds: (() => unknown)[] = [
      () => spawnSync("mkfifo", [file]),
      () => symlinkSync("/dev/zero", file),
      () => mkdirSync(file),
      () => {
        writeFileSync(file, "");
        truncateSync(file, 4_000_000_000);
      },
    ];
    for (const make of kinds) {
      rmSync(file, { recursive: true, force: true });
      make();
      for (const trust of [false, true]) inspectProject({ cwd: at.project, env: at.env, toolsPaths: [], trust });
      expect(saidOf(at)).not.toContain("SECRET");
    }
  });
});

describe("links that must keep working", () => {
  it("[D7] a trusted project is read through links", () => {
    const at = sandbox();
    const outside = join(at.root, "outside");
    put(join(outside, "settings.json"), '{ "mode": "plan" }');
    put(join(outside, "tools/a.ts"));
    put(join(outside, "mcp.json"), '{ "mcpServers": { "a": { "command": "a" } } }');
    put(join(at.env.TOOLWRIGHT_HOME as string, "settings.json"), USER_SETTINGS);
    link(at, join(outside, "settings.json"), ".toolwright/settings.json");
    link(at, join(outside, "tools"), ".toolwright/tools");
    link(at, join(outside, "mcp.json"), ".mcp.json");
    const { settings, warnings, discovered } = inspectProject({
      cwd: at.project,
      env: at.env,
      toolsPaths: [],
      trust: true,
    });
    expect(settings.mode.project).toBe("plan");
    expect(warnings).toEqual([]);
    expect(discovered.files.map(({ name }) => name)).toEqual(["a", "a"]);
    expect(discovered.problems).toEqual([]);
  });

  it("[D7] links inside an untrusted project are followed, and the user's links may lead anywhere", () => {
    const at = sandbox();
    put(join(at.project, "config/settings.json"), '{ "tools": { "disabled": ["bash"] } }');
    put(join(at.project, "assets/a.ts"));
    put(join(at.root, "dotfiles/settings.json"), USER_SETTINGS);
    put(join(at.root, "dotfiles/tools/mine.ts"));
    link(at, "../config/settings.json", ".toolwright/settings.json");
    link(at, "../assets", ".toolwright/tools");
    mkdirSync(join(at.home, ".toolwright"));
    symlinkSync(join(at.root, "dotfiles/settings.json"), join(at.home, ".toolwright/settings.json"));
    symlinkSync(join(at.root, "dotfiles/tools"), join(at.home, ".toolwright/tools"));
    const { settings, warnings, discovered } = inspectProject({
      cwd: at.project,
      env: at.env,
      toolsPaths: [],
      trust: false,
    });
    expect(settings.tools.disabled).toEqual(["bash"]);
    expect(warnings).toEqual([]);
    expect(discovered.files.map(({ name }) => name)).toEqual(["mine"]);
    expect(discovered.blocked.flatMap(({ files }) => files)).toEqual([join(at.tools, "a.ts")]);
  });
});
