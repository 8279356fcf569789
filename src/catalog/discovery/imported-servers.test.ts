import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run as runDiscovery } from "../../../test/support/discovered.ts";
import { put, temporary } from "../../../test/support/temporary.ts";
import type { Discovered } from "./discover.ts";
import type { McpImport } from "./imported-servers.ts";

function project(): string {
  const root = temporary();
  mkdirSync(join(root, "repo/.git"), { recursive: true });
  put(
    join(root, "repo/.mcp.json"),
    '{ "mcpServers": { "github": { "command": "g" }, "db": { "command": "d", "disabled": true } } }',
  );
  put(join(root, "home/.claude.json"), '{ "mcpServers": { "github": { "command": "mine" }, "wrong": {} } }');
  return root;
}

function run(root: string, mcpImport: McpImport | undefined, trust = true): Discovered {
  return runDiscovery(root, { trust, ...(mcpImport === undefined ? {} : { mcpImport }) });
}

describe("MCP servers that the settings import", () => {
  it("[D8] are none by default, and no configuration is read", () => {
    const root = project();
    put(join(root, "repo/.mcp.json"), "{");
    for (const wanted of [undefined, false, []]) {
      const { files, problems, watched } = run(root, wanted);
      expect({ files, problems }).toEqual({ files: [], problems: [] });
      expect(watched).not.toContain(join(root, "repo/.mcp.json"));
    }
  });

  it("[D8] are all or the named ones, listed like files", () => {
    const root = project();
    const config = join(root, "repo/.mcp.json");
    const all = run(root, true);
    expect(all.files).toEqual([
      {
        file: `${config}#github`,
        name: "github",
        location: { path: config, kind: "project", system: "claude", ofProject: true },
        server: { type: "stdio", command: "g", args: [], env: {}, cwd: join(root, "repo") },
      },
    ]);
    expect(all.watched).toContain(config);
    expect(all.problems.map(({ message }) => message)).toEqual([
      'The MCP server "wrong" must have a "command" to start, or a "url" to connect to.',
    ]);
    const named = run(root, ["github"]);
    expect(named.files.map(({ name }) => name)).toEqual(["github"]);
    expect(named.problems).toEqual([]);
  });

  it("[D8] are reported if a name is missing or disabled", () => {
    const root = project();
    const { files, problems } = run(root, ["githb", "db", "zzzz"]);
    expect(files).toEqual([]);
    expect(problems).toEqual([
      {
        file: join(root, "home/.toolwright/settings.json"),
        code: "bad_definition",
        message:
          '"mcp.import" in the settings names the MCP server "githb", but no agent has a server of that name. Did you mean "github"?',
      },
      {
        file: join(root, "repo/.mcp.json"),
        code: "bad_definition",
        message:
          '"mcp.import" in the settings names the MCP server "db", which is disabled in this file. Enable it, or remove its name from the settings.',
      },
      {
        file: join(root, "home/.toolwright/settings.json"),
        code: "bad_definition",
        message:
          '"mcp.import" in the settings names the MCP server "zzzz", but no agent has a server of that name. Remove it there, or add the server to the configuration of an agent.',
      },
    ]);
  });

  it("[D7] are blocked if they belong to an untrusted project, and the user's server of the same name is served", () => {
    const root = project();
    const { files, blocked } = run(root, ["github"], false);
    expect(files.map(({ file, server }) => [file, server])).toMatchObject([
      [join(root, "home/.claude.json#github"), { command: "mine" }],
    ]);
    expect(blocked).toEqual([
      {
        directory: join(root, "repo"),
        files: [join(root, "repo/.mcp.json#github")],
        fix: `toolwright trust --cwd ${join(root, "repo")}`,
      },
    ]);
  });
});
