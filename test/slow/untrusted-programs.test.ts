import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { CLI, cli, ensureBuilt, json } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { put } from "../support/temporary.ts";

beforeAll(ensureBuilt);

const PROGRAMS = ["sh", "bash", "git", "rg", "ps", "bun", "node", "npx", "npm", "toolwright", "prettier", "taskkill"];

/** A clone whose folders contain a program for every name that Toolwright starts; each creates a file in `ran`. */
function clone(): Sandbox & { readonly ran: () => string[] } {
  const at = sandbox();
  const marks = join(at.root, "ran");
  mkdirSync(marks);
  for (const folder of [".", "node_modules/.bin", "bin"]) {
    for (const name of PROGRAMS) {
      const file = put(join(at.project, folder, name), `#!/bin/sh\necho > ${marks}/${name}\n`);
      chmodSync(file, 0o755);
    }
  }
  symlinkSync(join(at.project, "bin"), join(at.root, "linked"));
  return { ...at, ran: () => readdirSync(marks) };
}

type Entry = readonly [name: string, entry: (at: Sandbox) => string];

/** Entries of PATH that lead into the clone, relative to the clone. */
const ENTRIES: readonly Entry[] = [
  ["an empty entry", () => ""],
  [".", () => "."],
  ["node_modules/.bin", () => "node_modules/.bin"],
  ["./node_modules/.bin", () => "./node_modules/.bin"],
  ["the clone by its absolute path", (at) => join(at.project, "bin")],
  ["a path with ..", (at) => `${at.home}/../project/bin`],
  ["a link to a folder of the clone", (at) => join(at.root, "linked")],
];

const withPath = (at: Sandbox, entry: Entry[1]): Record<string, string> => ({
  PATH: [entry(at), at.env.PATH].join(delimiter),
});

function settings(at: Sandbox, value: object): void {
  put(join(at.env.TOOLWRIGHT_HOME as string, "settings.json"), JSON.stringify(value));
}

/** A server of the user in the configuration of an agent. */
function configure(at: Sandbox, entry: object): void {
  put(join(at.home, ".gemini/settings.json"), JSON.stringify({ mcpServers: { toolwright: entry } }));
}

const JSON_TOOL = {
  name: "user-tools",
  version: "1.0.0",
  tools: [
    {
      name: "format",
      description: "Runs a program by its bare name.",
      inputSchema: { type: "object", properties: {} },
      handler: { type: "shell", command: "prettier --version" },
    },
  ],
};

describe.skipIf(process.platform === "win32")("[D7] [X1] programs of an untrusted project", () => {
  it.each(ENTRIES)("no command starts a program that PATH finds through %s", async (_, entry) => {
    const at = clone();
    const env = withPath(at, entry);
    spawnSync("git", ["init", "-q", at.project]);
    settings(at, {
      runtime: "bun",
      hooks: { before: [{ tool: "*", command: "true" }], after: [{ tool: "read", command: ["prettier"] }] },
    });
    put(join(at.env.TOOLWRIGHT_HOME as string, "tools/format.json"), JSON.stringify(JSON_TOOL));
    configure(at, { command: "npx", args: ["-y", "toolwright", "mcp"], env: { npm_config_offline: "true" } });
    for (const args of [
      ["list"],
      ["run", "bash", "--command", "prettier; git --version", "--description", "d"],
      ["run", "git-status"],
      ["run", "git-diff-summary"],
      ["run", "workspace-info"],
      ["run", "grep", "--pattern", "x"],
      ["run", "read", "--file-path", "bin/sh"],
      ["run", "format"],
      ["doctor"],
    ]) {
      await cli(at, args, { env });
      expect({ args, ran: at.ran() }).toEqual({ args, ran: [] });
    }
  });

  it("grep starts none of them if the bundled ripgrep is missing, or if a relative path names one", async () => {
    const at = clone();
    const grep = ["run", "grep", "--pattern", "x"];
    await cli(at, grep, { env: { ...withPath(at, () => "."), npm_config_arch: "none" } });
    await cli(at, grep, { env: { TOOLWRIGHT_RIPGREP: "./rg" } });
    expect(at.ran()).toEqual([]);
  });

  it("Bun is not taken from a relative BUN_INSTALL, or from one in the project", async () => {
    const at = clone();
    settings(at, { runtime: "bun" });
    put(
      join(at.env.TOOLWRIGHT_HOME as string, "tools/a.js"),
      "export default { description: 'A', execute: () => 'a' };",
    );
    for (const BUN_INSTALL of [".", join(at.project)]) await cli(at, ["run", "a"], { env: { BUN_INSTALL } });
    expect(at.ran()).toEqual([]);
  });

  it.each<[string, (at: Sandbox) => object]>([
    ["npx", () => ({ command: "npx", args: ["-y", "toolwright", "mcp"], env: { npm_config_offline: "true" } })],
    ["a relative path", () => ({ command: "./node_modules/.bin/toolwright", args: ["mcp"] })],
    ["a relative path for a shell", () => ({ command: "sh", args: ["-c", "./bin/toolwright mcp"] })],
    ["a path in the clone", (at) => ({ command: join(at.project, "bin/toolwright"), args: ["mcp"] })],
    ["a link into the clone", (at) => ({ command: join(at.root, "linked/toolwright"), args: ["mcp"] })],
    ["a shell with a path in the clone", (at) => ({ command: "sh", args: ["-c", `${at.project}/bin/toolwright mcp`] })],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: editors replace it
    ["${workspaceFolder}", () => ({ command: "${workspaceFolder}/bin/toolwright", args: ["mcp"] })],
    ["its PATH", (at) => ({ command: "toolwright", args: ["mcp"], env: { PATH: join(at.project, "bin") } })],
    ["its relative PATH", () => ({ command: "toolwright", args: ["mcp"], env: { PATH: "bin:" } })],
    [
      "a module of the clone",
      (at) => ({ command: process.execPath, args: [CLI, "mcp"], env: { NODE_OPTIONS: `-r ${at.project}/mark.cjs` } }),
    ],
    ["a relative module", () => ({ command: process.execPath, args: ["-r", "./mark.cjs", CLI, "mcp"], env: {} })],
  ])("doctor starts none of them for a server of the user that is named by %s", async (_, entry) => {
    const at = clone();
    put(
      join(at.project, "mark.cjs"),
      `require("node:fs").writeFileSync(${JSON.stringify(join(at.root, "ran/node"))}, "");`,
    );
    configure(at, entry(at));
    const { stdout } = await cli(at, ["doctor"]);
    expect(at.ran()).toEqual([]);
    expect(stdout).toContain("Gemini CLI: installed in ");
  });

  it("doctor still tests the servers of the user, also by a bare name, and reports their responses", async () => {
    const at = clone();
    const bin = join(at.root, "usr/bin");
    const program = put(
      join(bin, "toolwright"),
      `#!/bin/sh\npwd > ${at.root}/cwd\nexec ${process.execPath} ${CLI} "$@"\n`,
    );
    chmodSync(program, 0o755);
    configure(at, { command: "toolwright", args: ["mcp"] });
    const { stdout } = await cli(at, ["doctor"], {
      env: { PATH: [bin, dirname(process.execPath), "/bin"].join(delimiter) },
    });
    expect(stdout).toMatch(/Gemini CLI: installed in .*, answers in \d+ ms with 0 tools/);
    expect(existsSync(join(at.root, "cwd"))).toBe(true);
  });

  it("a host does not load modules that NODE_OPTIONS and NODE_PATH name in the project", async () => {
    const at = clone();
    const marking = `require("node:fs").writeFileSync(${JSON.stringify(join(at.root, "ran/node"))}, "");`;
    for (const file of ["mark.cjs", "node_modules/marker/index.js"]) put(join(at.project, file), marking);
    put(
      join(at.env.TOOLWRIGHT_HOME as string, "tools/a.js"),
      "export default { description: 'A', execute: () => 'a' };",
    );
    const elsewhere = join(at.root, "elsewhere");
    for (const file of ["mark.cjs", "node_modules/marker/index.js"]) put(join(elsewhere, file));
    for (const NODE_OPTIONS of [
      "--require ./mark.cjs",
      '--require "./mark.cjs"',
      "-r ./mark.cjs --no-warnings",
      "--import=./mark.cjs",
      "--require marker",
    ]) {
      const args = ["run", "a", "--json", "--cwd", at.project];
      const ended = await cli(at, args, { cwd: elsewhere, env: { NODE_OPTIONS } });
      expect(json(ended)).toMatchObject({ ok: true, output: "a" });
      expect({ NODE_OPTIONS, ran: at.ran() }).toEqual({ NODE_OPTIONS, ran: [] });
    }
  });
});

describe.skipIf(process.platform === "win32")("[D7] programs of a trusted project", () => {
  it("are found on PATH by tools and hooks, but not by Toolwright itself", async () => {
    const at = clone();
    const env = withPath(at, (each) => join(each.project, "node_modules/.bin"));
    writeFileSync(join(at.tools, "format.json"), JSON.stringify(JSON_TOOL));
    await cli(at, ["run", "format", "--trust"], { env });
    expect(at.ran()).toEqual(["prettier"]);
    settings(at, { hooks: { before: [{ tool: "*", command: "true" }] } });
    await cli(at, ["run", "bash", "--trust", "--command", "true", "--description", "d"], { env });
    await cli(at, ["run", "git-status", "--trust"], { env });
    expect(at.ran()).toEqual(["prettier"]);
  });
});
