import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { allowedToolNames, toClaudeMcpServer } from "../../../src/surfaces/libraries/index.ts";
import { ANTHROPIC } from "../../support/agents/anthropic-wire.ts";
import { CLAUDE_CODE } from "../../support/agents/claude-code.ts";
import { MODULES } from "../../support/installed.ts";
import { describeLibrary } from "../../support/libraries/describe-library.ts";

await describeLibrary({
  title: "toClaudeMcpServer",
  package: "claude-agent-sdk",
  wire: ANTHROPIC,
  named: (tool) => `mcp__toolwright__${tool}`,
  normalize: (text) => text.replace(/\n*<system-reminder>[\s\S]*$/, "").trimEnd(),
  carriesImages: true,
  carriesPdfs: false,
  showsProgress: false,
  passesCallIDs: true,
  async ask({ toolbox, at, origin, prompt, sessionID, signal }) {
    const { query } = await import(join(MODULES["claude-agent-sdk"], "@anthropic-ai/claude-agent-sdk/sdk.mjs"));
    const view = { agent: "tester", ...(sessionID === undefined ? {} : { sessionID }) };
    const TMPDIR = join(at.root, "tmp");
    mkdirSync(TMPDIR, { recursive: true });
    const abortController = new AbortController();
    signal.addEventListener("abort", () => abortController.abort());
    const options = {
      ...{ cwd: at.project, model: "scripted", tools: [], settingSources: [], strictMcpConfig: true, abortController },
      env: { ...at.env, TMPDIR, CLAUDE_CODE_TMPDIR: TMPDIR, ...CLAUDE_CODE.env?.(origin) },
      mcpServers: { toolwright: toClaudeMcpServer(toolbox, view) },
      allowedTools: allowedToolNames(toolbox, view),
    };
    let last = "";
    for await (const message of query({ prompt, options })) if (message.type === "result") last = message.result;
    return last;
  },
});
