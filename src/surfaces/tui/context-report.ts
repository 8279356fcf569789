import type { ToolInfo } from "../../catalog/registry/registry-entry.ts";
import type { Source } from "../../core/tool.ts";
import { shownPath, shownPlace } from "../../platform/files/shown-path.ts";
import { countText } from "../../platform/text/amount-text.ts";
import { printableJson } from "../../platform/text/printable.ts";
import { type HiddenReason, hiddenTools } from "../../toolbox/hidden-tools.ts";
import { type McpServerView, mcpServersOf } from "../../toolbox/mcp-server-view.ts";
import { printableRule } from "../../toolbox/permission-view.ts";
import { definitionTokens } from "../client-limits/token-estimate.ts";
import type { ChatActions } from "./chat-actions.ts";
import { inlineCode, inlineText, section } from "./commands/inline-markdown.ts";

/** The part of the chat that the report describes. */
type ReportedChat = Pick<ChatActions, "toolbox" | "state" | "env">;

/**
 * The tools that the model is given, with what their definitions cost in every request, those that it is not given and why, MCP
 * servers of other agents, and problems. In Markdown.
 */
export function contextReport(chat: ReportedChat): string {
  const hidden = hiddenTools(chat.toolbox, chat.state);
  const names = new Set(hidden.map(({ tool }) => tool.name));
  const given = chat.toolbox.list().filter(({ name }) => !names.has(name));
  const offLines = [...Map.groupBy(hidden, ({ reason }) => reasonText(reason, chat))].map(
    ([reason, same]) => `- ${same.map(({ tool }) => inlineCode(tool.name)).join(", ")}: ${reason}`,
  );
  const servers = mcpServersOf(chat.toolbox, chat.env);
  return [
    totalLine(given, chat),
    ...GROUPS.flatMap(({ title, sources }) => groupLines(title, sources, given, chat)),
    ...section("Off", [...offLines, ...shadowedLines(chat)]),
    ...untrustedLines(chat),
    ...serverLines(servers.servers, chat),
    ...loadingLines(chat),
    ...section("Problems", [
      ...[...chat.toolbox.problems(), ...servers.problems, ...chat.toolbox.status.warnings].map(
        (problem) =>
          `- ${inlineCode(shownPlace(problem, directoryOf(chat)))} ${inlineText(problem.message, MAX_MESSAGE)}`,
      ),
    ]),
  ].join("\n");
}

const MAX_MESSAGE = 500;

function directoryOf({ toolbox }: ReportedChat): string {
  return toolbox.project.directory;
}

function reasonText(reason: HiddenReason, chat: ReportedChat): string {
  switch (reason.kind) {
    case "disabled":
      return 'disabled by "tools.disabled" in the settings';
    case "denied": {
      const { rule } = reason;
      if (!rule) return "denied by a rule";
      return `denied by a rule, ${inlineCode(printableRule(rule))} in ${inlineCode(shownPlace(rule, directoryOf(chat)))}`;
    }
    case "inactive":
      return "not active in this session";
    case "not_chosen":
      return `not among the tools of this session (${inlineCode("--tools")})`;
    case "not_selected":
      return `${inlineCode(chat.state.agent)} has its own tools for this`;
  }
}

function totalLine(given: readonly ToolInfo[], { toolbox, state: { agent } }: ReportedChat): string {
  const who = agent === "" ? "the agent" : inlineCode(agent);
  if (given.length === 0) {
    const isEmpty = toolbox.list().length === 0 && toolbox.status.blocked.length === 0;
    return `No tools are given to ${who}.${isEmpty ? " To create one, run: `toolwright new hello`" : ""}`;
  }
  const are = given.length === 1 ? "is" : "are";
  return `${countText(given.length, "tool")} ${are} given to ${who}, ${costOf(given)} in every request (estimated).`;
}

function costOf(tools: readonly ToolInfo[]): string {
  return countText(
    tools.reduce((sum, tool) => sum + definitionTokens(tool), 0),
    "token",
  );
}

const GROUPS: readonly { readonly title: string; readonly sources: readonly Source[] }[] = [
  { title: "Custom tools", sources: ["custom"] },
  { title: "Tools of plugins", sources: ["plugin"] },
  { title: "MCP tools", sources: ["mcp"] },
  { title: "Built-in tools", sources: ["builtin"] },
];

function groupLines(
  title: string,
  sources: readonly Source[],
  given: readonly ToolInfo[],
  chat: ReportedChat,
): string[] {
  const tools = given.filter(({ source }) => sources.includes(source));
  const heading = `${title}: ${tools.length}, ${costOf(tools)}`;
  return section(
    heading,
    tools.map((tool) => toolLine(tool, chat)),
  );
}

function toolLine(tool: ToolInfo, chat: ReportedChat): string {
  const facts = [costOf([tool]), sourceOf(tool, directoryOf(chat))];
  if (tool.overridesBuiltin) facts.push("overrides a built-in tool");
  if (tool.providers) facts.push(`only for models of ${tool.providers.map(inlineCode).join(", ")}`);
  return `- ${inlineCode(tool.name)} ${inlineText(tool.description)} (${facts.join(", ")})`;
}

/** A tool of an MCP server has the configuration file and the name of the server as its file. */
function sourceOf({ source, file, place, pluginName }: ToolInfo, directory: string): string {
  if (source === "builtin") return "built in";
  const path = inlineCode(shownPath(file, directory));
  if (source === "plugin" && pluginName !== undefined) return `plugin ${inlineCode(pluginName)}, ${path}`;
  return source === "mcp" ? path : `${place}, ${path}`;
}

function shadowedLines(chat: ReportedChat): string[] {
  const path = (file: string): string => inlineCode(shownPath(file, directoryOf(chat)));
  return chat.toolbox.status.shadowed.map(({ name, file, by, builtin }) =>
    builtin
      ? `- ${inlineCode(name)}, the built-in tool: ${path(by)} overrides it`
      : `- ${inlineCode(name)} of ${path(file)}: hidden by the tool of the same name in ${path(by)}`,
  );
}

const MAX_FILES = 20;

function untrustedLines(chat: ReportedChat): string[] {
  const { blocked } = chat.toolbox.status;
  const [first] = blocked;
  if (!first) return [];
  const files = blocked.flatMap((each) => each.files);
  const more = files.length - MAX_FILES;
  return section("Not run, because this project is not trusted", [
    ...files.slice(0, MAX_FILES).map((file) => `- ${inlineCode(shownPath(file, directoryOf(chat)))}`),
    ...(more > 0 ? [`- … and ${more} more`] : []),
    "",
    `Read the files, and if you agree with what they do, run: ${inlineCode(first.fix)} and then \`/reload\``,
  ]);
}

function serverLines(servers: readonly McpServerView[], chat: ReportedChat): string[] {
  const { homes } = chat.toolbox.project;
  const lines = servers.map((server) => {
    const path = inlineCode(shownPath(server.file, directoryOf(chat)));
    return `- ${inlineCode(server.name)} of ${path}: ${STATES[server.state](server)}`;
  });
  const missing = servers.filter(({ state }) => state === "not_imported").map(({ name }) => name);
  const example = printableJson({ mcp: { import: [...importedNames(chat), ...missing] } });
  const settings = inlineCode(shownPath(`${homes.toolwrightHome}/settings.json`, directoryOf(chat)));
  const hint = missing.length === 0 ? [] : ["", `To import them, set in ${settings}: ${inlineCode(example)}`];
  return section("MCP servers of your agents", lines.length === 0 ? [] : [...lines, ...hint]);
}

/** The names of the setting, so that adding others loses none. */
function importedNames({ toolbox }: ReportedChat): readonly string[] {
  const { import: names } = toolbox.project.settings.mcp;
  return typeof names === "boolean" ? [] : names;
}

const STATES: Readonly<Record<McpServerView["state"], (server: McpServerView) => string>> = {
  imported: ({ tools }) => `imported, ${countText(tools, "tool")}`,
  not_imported: () => "not imported",
  disabled: () => "disabled in this file",
  untrusted: () => "not started, because this project is not trusted",
};

function loadingLines(chat: ReportedChat): string[] {
  const { loading } = chat.toolbox.status;
  return section(
    "Still being read, so their tools are missing",
    loading.map((file) => `- ${inlineCode(shownPath(file, directoryOf(chat)))}`),
  );
}
