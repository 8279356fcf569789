import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { project, type Sandbox } from "../../../test/support/fixture.ts";
import { RecordedChat } from "../../../test/support/recorded-chat.ts";
import { put } from "../../../test/support/temporary.ts";
import { answering, open } from "../../../test/support/toolbox.ts";
import { contextReport } from "./context-report.ts";

function settings({ env }: Sandbox, value: object): void {
  mkdirSync(env.TOOLWRIGHT_HOME as string, { recursive: true });
  writeFileSync(join(env.TOOLWRIGHT_HOME as string, "settings.json"), JSON.stringify(value, null, 2));
}

describe("/context", () => {
  it("[U3] [D8] lists tools with source, description and cost, what is off and why, MCP servers, and problems", async () => {
    const at = project({
      ".toolwright/tools/hello.ts": answering("1", "Says *hello*.\nIn two lines."),
      ".toolwright/tools/idle.ts": answering("1"),
      ".toolwright/tools/secret.ts": answering("1"),
      ".toolwright/tools/broken.ts": "export default { description: 'x', execute: \n",
      ".toolwright/tools/twice.ts": answering("1", "Of the project."),
      ".mcp.json": JSON.stringify({
        mcpServers: { docs: { command: "docs-server" }, off: { command: "x", disabled: true } },
      }),
      "opencode.json": JSON.stringify({ mcp: { wrong: { type: "local" } } }),
    });
    put(join(at.env.TOOLWRIGHT_HOME as string, "tools/twice.ts"), answering("1", "Of the user."));
    settings(at, {
      tools: { disabled: ["idle"] },
      permissions: [{ tool: "secret", action: "deny" }],
    });
    const { toolbox } = await open(at, { builtins: ["read", "glob"] });
    const chat = new RecordedChat(toolbox, { state: { builtins: ["read"] }, env: at.env });
    const text = contextReport(chat)
      .replaceAll(at.root, "ROOT")
      .replaceAll(/\d+ tokens/g, "N tokens");
    expect(text.split("\n")).toEqual([
      "3 tools are given to `claude`, N tokens in every request (estimated).",
      "",
      "**Custom tools: 2, N tokens**",
      "",
      "- `hello` Says \\*hello\\*. (N tokens, project, `.toolwright/tools/hello.ts`)",
      "- `twice` Of the project. (N tokens, project, `.toolwright/tools/twice.ts`)",
      "",
      "**Built-in tools: 1, N tokens**",
      "",
      expect.stringMatching(/^- `read` .+ \(N tokens, built in\)$/),
      "",
      "**Off**",
      "",
      "- `glob`: `claude` has its own tools for this",
      '- `idle`: disabled by "tools.disabled" in the settings',
      '- `secret`: denied by a rule, `{"tool":"secret","action":"deny"}` in `ROOT/home/.toolwright/settings.json:8`',
      "- `twice` of `ROOT/home/.toolwright/tools/twice.ts`: hidden by the tool of the same name in `.toolwright/tools/twice.ts`",
      "",
      "**MCP servers of your agents**",
      "",
      "- `docs` of `.mcp.json`: not imported",
      "- `off` of `.mcp.json`: disabled in this file",
      "",
      'To import them, set in `ROOT/home/.toolwright/settings.json`: `{"mcp":{"import":["docs"]}}`',
      "",
      "**Problems**",
      "",
      expect.stringMatching(/^- `\.toolwright\/tools\/broken\.ts:2:1` .+$/),
      '- `opencode.json:1` The MCP server "wrong" must have a "command" to start, or a "url" to connect to.',
    ]);
  });

  it("[D8] lists the tools of imported MCP servers, with the file that configures them", async () => {
    const server = fileURLToPath(new URL("../../../test/fixture/mcp/stdio.mjs", import.meta.url));
    const docs = { command: process.execPath, args: [server, "good"] };
    const at = project({ ".mcp.json": JSON.stringify({ mcpServers: { docs, more: docs } }) });
    settings(at, { mcp: { import: ["docs"] } });
    const { toolbox } = await open(at);
    const lines = contextReport(new RecordedChat(toolbox, { env: at.env })).split("\n");
    const tools = lines.filter((line) => line.startsWith("- `docs_"));
    expect(tools).toContainEqual(expect.stringMatching(/^- `docs_echo` .* \(\d+ tokens, `\.mcp\.json#docs`\)$/));
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^\\*\\*MCP tools: ${tools.length}, \\d+ tokens\\*\\*$`)),
    );
    expect(lines).toContain(`- \`docs\` of \`.mcp.json\`: imported, ${tools.length} tools`);
    expect(lines).toContain("- `more` of `.mcp.json`: not imported");
    expect(lines).toContainEqual(expect.stringMatching(/`\{"mcp":\{"import":\["docs","more"\]\}\}`$/));
  });

  it("[U3] [D6] says which files of an untrusted project are not run, and how to trust it", async () => {
    const at = project({
      ".toolwright/tools/hello.ts": answering("1"),
      ".mcp.json": JSON.stringify({ mcpServers: { docs: { command: "docs-server" } } }),
    });
    settings(at, { mcp: { import: true } });
    const { toolbox } = await open(at, { trust: false });
    const text = contextReport(new RecordedChat(toolbox, { env: at.env })).replaceAll(at.root, "ROOT");
    expect(text.split("\n")).toEqual([
      "No tools are given to `claude`.",
      "",
      "**Not run, because this project is not trusted**",
      "",
      "- `.toolwright/tools/hello.ts`",
      "- `.mcp.json#docs`",
      "",
      "Read the files, and if you agree with what they do, run: `toolwright trust --cwd ROOT/project` and then `/reload`",
      "",
      "**MCP servers of your agents**",
      "",
      "- `docs` of `.mcp.json`: not started, because this project is not trusted",
    ]);
  });

  it("[X1] shows hostile names and descriptions as text", async () => {
    const tools = [
      { name: "evil", description: "a\u001b]0;title\u0007 `b` **c** <x>", parameters: {}, handler: () => "" },
    ];
    const { toolbox } = await open({}, { tools });
    const text = contextReport(new RecordedChat(toolbox));
    expect(text).toContain("- `evil` a\\\\x1b\\]0;title\\\\x07 \\`b\\` \\*\\*c\\*\\* &lt;x>");
  });

  it("[U3] lists the tools that are not among those of the session", async () => {
    const at = project({ ".toolwright/tools/greet.ts": answering("1"), ".toolwright/tools/other.ts": answering("1") });
    const { toolbox } = await open(at, { builtins: ["read", "glob"] });
    const chat = new RecordedChat(toolbox, { state: { builtins: false, tools: ["gre*", "read"] }, env: at.env });
    const text = contextReport(chat);
    expect(text).toContain("- `glob`, `other`: not among the tools of this session (`--tools`)");
    expect(text).toMatch(/^2 tools are given to `claude`/);
  });
});
