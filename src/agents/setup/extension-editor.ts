import { EXTENSION_MARK } from "../../core/agent-extension.ts";
import { ConfigProblem } from "./config-problem.ts";
import type { Editor } from "./editor.ts";
import { jsonEditor } from "./json-editor.ts";

/**
 * The extension file of an agent without MCP: a JavaScript file that holds the servers as JSON, and loads the code that starts
 * them from the package of Toolwright. That code is in the package so that an update of the package updates it.
 */
export const extensionEditor: Editor = {
  parse: (text) => (text.trim() === "" ? {} : jsonEditor.parse(partsOf(text).json)),
  print: (path, entry) => withServers(TEMPLATE, (json) => jsonEditor.set(json, path, entry)).trimEnd(),
  set: (text, path, entry) =>
    withServers(text.trim() === "" ? TEMPLATE : text, (json) => jsonEditor.set(json, path, entry)),
  change: (text, path, fields) => withServers(text, (json) => jsonEditor.change(json, path, fields)),
  remove: (text, path) => withServers(text, (json) => jsonEditor.remove(json, path)),
};

const TEMPLATE = `// Gives this agent the tools of Toolwright. "toolwright install" wrote this file, "toolwright uninstall" removes it.
// ${EXTENSION_MARK}: Toolwright itself does not load a file with this word.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const config = {
  "mcpServers": {}
};

export default async function (pi) {
  for (const [name, server] of Object.entries(config.mcpServers)) {
    if (server.enabled === false) continue;
    const code = join(dirname(server.args[0]), "pi-extension.mjs");
    try {
      if (!existsSync(code)) throw new Error(\`\${code} does not exist.\`);
      const { serveInPi } = await import(pathToFileURL(code).href);
      serveInPi(pi, name, server);
    } catch (error) {
      const text = \`The tools of Toolwright are missing. \${error.message} Try: toolwright doctor\`;
      pi.on("session_start", (_event, { hasUI, ui }) => (hasUI ? ui.notify(text, "warning") : console.error(text)));
    }
  }
}
`;

const SERVERS = /^(const config = )(\{[\s\S]*?\});\r?$/m;

function partsOf(text: string): { before: string; json: string; after: string } {
  const found = text.includes(EXTENSION_MARK) ? SERVERS.exec(text) : null;
  if (!found) {
    const what = 'was not written by "toolwright install", or its line "const config = {" is missing';
    throw new ConfigProblem(`${what}. If you do not need the file, delete it`);
  }
  const [, head = "", json = ""] = found;
  const start = found.index + head.length;
  return {
    before: text.slice(0, start),
    json: text.slice(start, start + json.length),
    after: text.slice(start + json.length),
  };
}

function withServers(text: string, edit: (json: string) => string): string {
  const { before, json, after } = partsOf(text);
  return before + edit(json) + after;
}
