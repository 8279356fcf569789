import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../../test/support/temporary.ts";
import { type FoundServers, findMcpServers, type McpOptions } from "./mcp-servers.ts";
import { projectPlace } from "./repository.ts";

function project(files: Record<string, unknown>): string {
  const root = temporary();
  mkdirSync(join(root, "repo/.git"), { recursive: true });
  mkdirSync(join(root, "home"));
  for (const [file, content] of Object.entries(files)) {
    put(join(root, file), typeof content === "string" ? content : JSON.stringify(content));
  }
  return root;
}

function find(root: string, options: Partial<McpOptions> = {}, isWanted?: (name: string) => boolean): FoundServers {
  const given = { home: join(root, "home"), env: {}, trusted: true, ...options };
  const place = projectPlace(options.cwd ?? join(root, "repo"), given.home);
  return findMcpServers({ ...given, ...place }, isWanted);
}

const servers = (entries: Record<string, unknown>): unknown => ({ mcpServers: entries });
const filled = (variable: string): string => `\${${variable}}`;
const runs = (command: string): unknown => ({ command });

/** The servers as `name file`; `!` marks those of the project, `off` disabled ones. */
function listed(root: string, options: Partial<McpOptions> = {}): string[] {
  const found = find(root, options);
  expect(found.problems).toEqual([]);
  return found.servers.map(
    ({ name, file, ofProject, disabled }) =>
      `${name} ${file.slice(root.length + 1)}${ofProject ? " !" : ""}${disabled ? " off" : ""}`,
  );
}

describe("findMcpServers", () => {
  it("[D8] finds servers of Claude Code, Copilot and OpenCode: the project's from the directory up, then the user's", () => {
    const root = project({
      "repo/deep/.mcp.json": servers({ a: runs("a") }),
      "repo/.mcp.json": servers({ b: runs("b") }),
      "repo/.github/mcp.json": servers({ c: runs("c") }),
      "repo/.copilot/mcp-config.json": servers({ d: runs("d") }),
      "repo/opencode.json": { mcp: { e: { type: "local", command: ["e"] } } },
      "repo/.opencode/opencode.jsonc": '{ // ours\n "mcp": { "f": { "type": "local", "command": ["f"], }, }, }',
      "home/.claude.json": servers({ g: runs("g") }),
      "home/.copilot/mcp-config.json": servers({ h: runs("h") }),
      "home/.config/opencode/opencode.jsonc": { mcp: { i: { type: "remote", url: "https://example.com/mcp" } } },
      "home/.mcp.json": servers({ never: runs("never") }),
    });
    expect(listed(root, { cwd: join(root, "repo/deep") })).toEqual([
      "a repo/deep/.mcp.json !",
      "b repo/.mcp.json !",
      "c repo/.github/mcp.json !",
      "d repo/.copilot/mcp-config.json !",
      "f repo/.opencode/opencode.jsonc !",
      "e repo/opencode.json !",
      "g home/.claude.json",
      "h home/.copilot/mcp-config.json",
      "i home/.config/opencode/opencode.jsonc",
    ]);
  });

  it("[D8] reads command, directory and environment in the format of each program", () => {
    const root = project({
      "repo/.mcp.json": servers({
        claude: {
          type: "stdio",
          command: filled("BIN:-node"),
          args: ["x.js", `--token=${filled("TOKEN")}`],
          env: { KEY: filled("TOKEN"), N: 1 },
        },
        remote: {
          type: "sse",
          url: `https://${filled("HOST:-example.com")}/sse`,
          headers: { Authorization: `Bearer ${filled("TOKEN")}` },
        },
      }),
      "repo/opencode.json": {
        mcp: {
          open: {
            type: "local",
            command: ["~/bin/server", "{env:TOKEN}", "{env:GONE}"],
            environment: { KEY: "{file:./key.txt}" },
            cwd: "packages",
            timeout: 20000,
          },
        },
      },
      "repo/key.txt": "k3y\n",
      "home/.copilot/mcp-config.json": servers({ copilot: { type: "local", command: "c", args: [], tools: ["*"] } }),
    });
    const repo = join(root, "repo");
    const found = find(root, { env: { TOKEN: "t0ken" } });
    expect(found.problems).toEqual([]);
    expect(found.servers.map(({ server }) => server)).toEqual([
      {
        type: "stdio",
        command: "node",
        args: ["x.js", "--token=t0ken"],
        env: { KEY: "t0ken", N: "1" },
        cwd: repo,
      },
      { type: "http", url: "https://example.com/sse", headers: { Authorization: "Bearer t0ken" } },
      {
        type: "stdio",
        command: join(root, "home/bin/server"),
        args: ["t0ken", ""],
        env: { KEY: "k3y" },
        cwd: join(repo, "packages"),
        timeoutMs: 20000,
      },
      { type: "stdio", command: "c", args: [], env: {} },
    ]);
  });

  it("[D8] of several servers with one name, the first counts, even if it is disabled", () => {
    const root = project({
      "repo/.mcp.json": servers({ both: runs("project"), off: { ...Object(runs("x")), disabled: true } }),
      "home/.claude.json": servers({ both: runs("user"), off: runs("y"), mine: runs("z") }),
      "home/.config/opencode/opencode.json": {
        mcp: { later: { type: "local", command: ["l"], enabled: false }, mine: { type: "local", command: ["w"] } },
      },
      "home/.copilot/mcp-config.json": servers({ none: { command: "n", tools: [] } }),
    });
    expect(listed(root)).toEqual([
      "both repo/.mcp.json !",
      "off repo/.mcp.json ! off",
      "mine home/.claude.json",
      "none home/.copilot/mcp-config.json off",
      "later home/.config/opencode/opencode.json off",
    ]);
  });

  it("[D8] servers that Claude Code stores for this project belong to the user, and precede the others in that file", () => {
    const root = project({});
    const projects = {
      [join(root, "repo")]: servers({ local: runs("l"), both: runs("local") }),
      "/other": servers({ no: {} }),
    };
    put(join(root, "home/.claude.json"), JSON.stringify({ projects, ...Object(servers({ both: runs("user") })) }));
    expect(listed(root)).toEqual(["local home/.claude.json", "both home/.claude.json"]);
    expect(find(root).servers[1]?.server).toMatchObject({ command: "local" });
  });

  it("[D8] follows the environment variables that move the user's configurations", () => {
    const root = project({
      "claude/.claude.json": servers({ a: runs("a") }),
      "copilot/mcp-config.json": servers({ b: runs("b") }),
      "opencode/opencode.jsonc": { mcp: { c: runs("c"), twice: runs("c") } },
      "home/.opencode/opencode.json": { mcp: { d: runs("d"), twice: runs("d") } },
      "own.json": { mcp: { e: runs("e"), twice: runs("e") } },
      "xdg/opencode/opencode.jsonc": { mcp: { f: runs("f"), both: runs("jsonc") } },
      "xdg/opencode/opencode.json": { mcp: { g: runs("g"), both: runs("json") } },
      "xdg/opencode/config.json": { mcp: { h: runs("h") } },
      "home/.claude.json": servers({ never: runs("never") }),
      "home/.copilot/mcp-config.json": servers({ never: runs("never") }),
      "home/.config/opencode/opencode.json": { mcp: { never: runs("never") } },
      "xdg/copilot/mcp-config.json": servers({ never: runs("never") }),
    });
    const env = {
      CLAUDE_CONFIG_DIR: join(root, "claude"),
      COPILOT_HOME: "../copilot",
      OPENCODE_CONFIG_DIR: join(root, "opencode"),
      OPENCODE_CONFIG: join(root, "own.json"),
      XDG_CONFIG_HOME: join(root, "xdg"),
    };
    expect(listed(root, { env })).toEqual([
      "a claude/.claude.json",
      "b copilot/mcp-config.json",
      "c opencode/opencode.jsonc",
      "twice opencode/opencode.jsonc",
      "d home/.opencode/opencode.json",
      "e own.json",
      "f xdg/opencode/opencode.jsonc",
      "both xdg/opencode/opencode.jsonc",
      "g xdg/opencode/opencode.json",
      "h xdg/opencode/config.json",
    ]);
  });

  it("[D8] Claude Code's older file takes precedence unless it is empty", () => {
    const root = project({
      "home/.claude/.config.json": servers({ old: runs("old") }),
      "home/.claude.json": servers({ usual: runs("usual") }),
    });
    expect(listed(root)).toEqual(["old home/.claude/.config.json"]);
    put(join(root, "home/.claude/.config.json"), "");
    expect(listed(root)).toEqual(["usual home/.claude.json"]);
  });

  it("[D8] reads OpenCode 2's format and the older one, also in one file", () => {
    const root = project({
      "repo/opencode.json": {
        mcp: {
          timeout: { startup: 30000 },
          both: runs("older"),
          older: runs("older"),
          servers: { both: runs("newer"), newer: { command: ["newer"], disabled: true } },
        },
      },
      "home/.config/opencode/opencode.json": { mcp: { servers: runs("s"), timeout: { url: "https://example.com" } } },
    });
    expect(listed(root)).toEqual([
      "both repo/opencode.json !",
      "newer repo/opencode.json ! off",
      "older repo/opencode.json !",
      "servers home/.config/opencode/opencode.json",
      "timeout home/.config/opencode/opencode.json",
    ]);
    expect(find(root).servers[0]?.server).toMatchObject({ command: "newer" });
  });

  it("[D7] a variable that points into the project does not make the project trusted", () => {
    const root = project({
      "repo/cfg/.claude.json": servers({ a: runs("a") }),
      "repo/oc.json": { mcp: { b: runs("b") } },
      "home/.copilot/mcp-config.json": servers({ c: runs("c") }),
    });
    const env = { CLAUDE_CONFIG_DIR: "cfg", OPENCODE_CONFIG: "oc.json" };
    expect(listed(root, { env })).toEqual([
      "a repo/cfg/.claude.json !",
      "c home/.copilot/mcp-config.json",
      "b repo/oc.json !",
    ]);
    // The project contains the home folder; files in the home folder still belong to the user.
    mkdirSync(join(root, ".git"));
    expect(listed(root, { cwd: root })).toEqual(["c home/.copilot/mcp-config.json"]);
  });

  it("[D8] never lists a Toolwright server", () => {
    const root = project({
      "repo/.mcp.json": servers({
        toolwright: runs("anything"),
        npx: { command: "npx", args: ["-y", "toolwright@1", "mcp"] },
        bin: { command: "/usr/local/bin/toolwright", args: ["mcp", "--http"] },
        node: { command: "node", args: ["/lib/node_modules/toolwright/dist/cli.mjs", "mcp"] },
        other: { command: "toolwright-not", args: ["mcp"] },
      }),
    });
    expect(listed(root)).toEqual(["other repo/.mcp.json !"]);
  });

  it("[D7] an untrusted project gets no variables expanded, and hides no server of the user", () => {
    const root = project({
      "repo/opencode.json": { mcp: { both: { type: "local", command: ["{env:TOKEN}", "{file:/etc/passwd}"] } } },
      "repo/.mcp.json": servers({ far: { url: `${filled("ADDRESS")}/mcp` } }),
      "home/.claude.json": servers({ both: runs(filled("TOKEN")) }),
    });
    const { servers: found, problems } = find(root, { trusted: false, env: { TOKEN: "t0ken" } });
    expect(problems).toEqual([]);
    expect(found.map(({ ofProject, server }) => [ofProject, server])).toMatchObject([
      [true, { url: `${filled("ADDRESS")}/mcp` }],
      [true, { command: "{env:TOKEN}", args: ["{file:/etc/passwd}"] }],
      [false, { command: "t0ken" }],
    ]);
  });

  it("[D7] the user's servers do not start in an untrusted project, where npx would run the project's programs", () => {
    const root = project({ "home/.claude.json": servers({ mine: runs("npx") }) });
    const startsIn = (trusted: boolean): unknown => find(root, { trusted }).servers.map(({ server }) => server);
    expect(startsIn(false)).toMatchObject([{ command: "npx", cwd: join(root, "home") }]);
    expect(startsIn(true)).toEqual([expect.not.objectContaining({ cwd: expect.anything() })]);
  });

  it("[D5] each invalid entry or file is one problem, and the others are found", () => {
    const root = project({
      "repo/.mcp.json": `{
  "mcpServers": {
    "neither": {},
    "list": { "command": "x", "args": "y" },
    "number": 1,
    "unset": { "command": "x", "args": ["\${NOT_SET}"] },
    "ftp": { "url": "\${ADDRESS:-ftp://example.com?key=s3cret}" },
    "env": { "command": "x", "env": ["A=1"] },
    "good": { "command": "x" },
    "off": { "disabled": true, "command": "x", "args": ["\${NOT_SET}"] }
  }
}`,
      "repo/opencode.json": '{ "mcp": {\n "a" { } }',
      "repo/.opencode/opencode.json": { mcp: { file: { command: ["x", "{file:gone.txt}"] } } },
      "repo/.github/mcp.json": "[]",
    });
    mkdirSync(join(root, "home/.claude.json"));
    const { servers: found, names, problems } = find(root);
    expect(found.map(({ name }) => name)).toEqual(["good", "off"]);
    expect([...names]).toContain("neither");
    expect(problems.map(({ line, code, message }) => `${line} ${code} ${message}`)).toEqual([
      '3 bad_definition The MCP server "neither" must have a "command" to start, or a "url" to connect to.',
      '4 bad_definition The MCP server "list" must have a string as "command" and a list of strings as "args".',
      '5 bad_definition The MCP server "number" must be an object with "command" or "url".',
      `6 bad_definition The MCP server "unset" needs the environment variable NOT_SET, which is not set. Set it, or write ${filled("NOT_SET:-…")} to set a default.`,
      `7 bad_definition The MCP server "ftp" must have a "url" that begins with http:// or https://, not "${filled("ADDRESS:-ftp://example.com?key=s3cret")}".`,
      '8 bad_definition The MCP server "env" must have an object of strings as "env".',
      `1 bad_definition The MCP server "file" needs the file ${join(root, "repo/gone.txt")}, which cannot be read. Create it, or correct the path.`,
      "2 syntax This is not valid JSON (colon expected), so its MCP servers are not loaded. Correct it.",
      "undefined unreadable It is not read: it is not a regular file. Replace it by one.",
    ]);
  });
});
