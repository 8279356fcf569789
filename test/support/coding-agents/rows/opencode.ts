import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHAT } from "../../agents/chat-wire.ts";
import { packagesOf } from "../../agents/installed-agent.ts";
import { linkOpencodePackages } from "../../agents/opencode.ts";
import type { Wire } from "../../agents/wire.ts";
import type { Sandbox } from "../../fixture.ts";
import type { AgentRow } from "../agent-row.ts";

/** The names of our tools begin with the name of the session's MCP server, which differs between sessions. */
const PREFIX = /^toolwright-[0-9a-f]{5}_/;

/** The API without these prefixes. A request with those of two sessions has no tools. */
const WIRE: Wire = {
  ...CHAT,
  offered: (body) => {
    const offered = CHAT.offered(body);
    const prefixes = new Set(offered.flatMap(({ name }) => PREFIX.exec(name) ?? []));
    return prefixes.size > 1 ? [] : offered.map((tool) => ({ ...tool, name: tool.name.replace(PREFIX, "") }));
  },
  speak: (reply, request, response) => {
    const names = CHAT.offered(request.body).map(({ name }) => name);
    const calls = reply.calls.map((call) => ({
      ...call,
      call: names.find((name) => name.replace(PREFIX, "") === call.call) ?? call.call,
    }));
    CHAT.speak({ ...reply, calls }, request, response);
  },
};

export const OPENCODE: AgentRow = {
  requirement: "G3",
  name: "opencode",
  folder: "opencode",
  wire: WIRE,
  model: "scripted",
  baseUrl: (origin) => `${origin}/v1`,
  env: () => ({
    OPENAI_API_KEY: "dummy",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER: "1",
  }),
  prepare: writeFiles,
  toolName: (name) => name,
  shownSchema: (schema) => ({ ...schema, additionalProperties: false }),
  ownTool: {
    logged: "opencode:write",
    call: (file, text) => ({ call: "write", input: { filePath: file, content: text } }),
  },
  processes: /opencode(?:\.exe)? serve/,
  leavesInTmp: { names: /^opencode$/, evidence: "an empty folder that all processes of OpenCode share" },
};

const CONFIG = { share: "disabled", autoupdate: false, snapshot: false, lsp: false, formatter: false };

function writeFiles({ home }: Sandbox): void {
  const folder = join(home, ".config/opencode");
  linkOpencodePackages(folder, packagesOf("opencode"));
  writeFileSync(join(folder, "opencode.json"), JSON.stringify(CONFIG));
}
