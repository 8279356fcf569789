import { resolve } from "node:path";
import type { JsonSchema } from "../../../core/schema.ts";
import type { Format } from "../../../core/tool.ts";
import { countText, firstNames } from "../../../platform/text/amount-text.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import { CLIENT_LIMITS, type ClientLimits } from "../../client-limits/client-limits.ts";
import { type Command, type Invocation, isSet } from "../args/command.ts";
import { fieldTexts, typeText } from "../args/schema-view.ts";
import { didYouMean, UsageError } from "../args/usage-error.ts";
import {
  type CheckedFile,
  type CheckedTool,
  type CheckReport,
  type ClientReport,
  checkReport,
} from "../check-report.ts";
import { findMisplaced, misplacedLines } from "../misplaced.ts";
import {
  blockedLines,
  indented,
  printable,
  printJson,
  problemLines,
  problemText,
  type Style,
  shownPath,
  shownPlace,
  styled,
} from "../output/print.ts";
import type { Output } from "../output/terminal.ts";
import { withToolbox } from "../with-toolbox.ts";

/** `toolwright check [FILE|FOLDER…]`. */
export const check: Command = {
  spec: {
    usage: "toolwright check [FILE|FOLDER...] [options]",
    about: `Loads every tool file, or the named ones and those in the named folders, and prints one line for each: its tools, and
below it problems, advice, and features of other systems that do not work here. --long also prints the tools as a model
sees them, and the format that was recognised.

With --client, also prints how the tools are changed for a client: some clients refuse long names or parts of schemas.
Clients: ${CLIENT_LIMITS.map(({ id }) => id).join(", ")}.

Exit code: 0 no problems (warnings are not problems), 1 problems, 2 wrong usage.`,
    options: {
      long: { type: "boolean", short: "l", help: "Show descriptions, arguments and formats" },
      client: {
        type: "string",
        multiple: true,
        value: "NAME",
        help: 'Show the changes for this client, or "all" (repeatable)',
      },
    },
    positionals: [0, Number.POSITIVE_INFINITY],
    examples: [
      "toolwright check",
      "toolwright check .toolwright/tools/hello.ts --long",
      "toolwright check --client claude-code",
      "toolwright check --json --trust",
    ],
  },
  run: async (invocation) => {
    const clients = clientsIn(invocation);
    const { positionals, globals } = invocation;
    const named = positionals.map((file) => resolve(globals.cwd, file));
    return withToolbox(
      invocation,
      async (toolbox) => {
        const report = checkReport(toolbox, { files: invocation.positionals, clients, cwd: invocation.globals.cwd });
        if (invocation.globals.json) printJson(invocation.terminal, report);
        else print(report, toolbox, invocation);
        if (report.blocked.length > 0) printBlocked(report, invocation);
        return report.ok ? 0 : 1;
      },
      { verify: true, ...(named.length > 0 ? { onlyFiles: named } : {}) },
    );
  },
};

function clientsIn({ values }: Invocation): readonly ClientLimits[] {
  const named = Array.isArray(values.client) ? values.client.map(String) : [];
  if (named.includes("all")) return CLIENT_LIMITS;
  return [...new Set(named)].map(clientNamed);
}

function clientNamed(name: string): ClientLimits {
  const ids = CLIENT_LIMITS.map(({ id }) => id);
  const client = CLIENT_LIMITS.find(({ id }) => id === name);
  if (client) return client;
  throw new UsageError(`Unknown client "${name}". ${didYouMean(name, ids, `Use one of ${ids.join(", ")}, or all.`)}`);
}

/** The formats, as in "read as …". */
const FORMS: Readonly<Record<Format, string>> = {
  tool: "a tool",
  factory: "a tool of pi or oh-my-pi",
  define: "a tool made by Tool.define",
  json: "JSON tools",
  "pi-extension": "a pi extension",
  "opencode-plugin": "an OpenCode plugin",
  "openclaw-plugin": "an OpenClaw plugin",
  sdk: "an SDK tool",
  "ai-sdk": "an AI SDK tool",
  mastra: "a Mastra tool",
  langchain: "a LangChain tool",
  "openai-agents": "a tool of the OpenAI Agents SDK",
  anthropic: "a tool of the Anthropic SDK",
  llamaindex: "a LlamaIndex tool",
  strands: "a tool of Strands Agents",
  voltagent: "a VoltAgent tool",
  "tanstack-ai": "a TanStack AI tool",
  agentkit: "an AgentKit tool",
  adk: "a tool of Google's Agent Development Kit",
  roo: "a custom tool of Roo Code",
  "amp-plugin": "an Amp plugin",
  "mcp-module": "a module with an MCP server",
  xmcp: "an xmcp tool",
  mcp: "an MCP server",
};

function print(report: CheckReport, toolbox: Toolbox, invocation: Invocation): void {
  const { stdout } = invocation.terminal;
  const { cwd } = invocation.globals;
  const sections = [
    ...(isSet(invocation, "long")
      ? [
          ...report.files.filter(hasContent).map((file) => longLines(file, report.tools, stdout, cwd)),
          problemLines(report.problems, stdout, cwd),
        ]
      : [checkedPaths(report).flatMap((path) => shortLines(path, report, stdout, cwd))]),
    ...(report.clients ?? []).map((client) => clientLines(client, stdout)),
    ...(invocation.positionals.length === 0 ? [misplacedLines(findMisplaced(invocation, toolbox), stdout, cwd)] : []),
    hookLines(report, stdout, cwd),
    [summary(report)],
  ];
  stdout.write(
    `${sections
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join("\n"))
      .join("\n\n")}\n`,
  );
}

/** False for a file without format and tools: only its problems are printed. */
function hasContent({ format, tools }: CheckedFile): boolean {
  return format !== undefined || tools.length > 0;
}

/** Each file with a tool, a format or a problem, once. */
function checkedPaths({ files, tools, problems }: CheckReport): string[] {
  return [...new Set([...files.filter(hasContent), ...tools, ...problems].map(({ file }) => file))].sort();
}

const MARGIN = "      ";
const STATUSES = { ok: "green", note: "yellow", warn: "yellow", fail: "red" } as const satisfies Record<string, Style>;

/** What is printed about one file. */
interface Findings {
  readonly tools: readonly CheckedTool[];
  readonly problems: CheckReport["problems"];
  readonly advice: readonly string[];
  readonly unsupported: readonly string[];
  readonly runtime: "bun" | undefined;
}

function findingsIn(path: string, { tools, problems, files }: CheckReport): Findings {
  const own = tools.filter(({ file }) => file === path);
  const info = files.find(({ file }) => file === path);
  return {
    tools: own,
    problems: problems.filter(({ file }) => file === path),
    advice: own.flatMap((tool) => tool.warnings.map(({ message }) => `${placeOf(tool)}${message}`)),
    unsupported: info?.unsupportedFeatures ?? [],
    runtime: info?.runtime,
  };
}

function statusOf({ tools, problems, advice, unsupported }: Findings): keyof typeof STATUSES {
  if (problems.length > 0) return "fail";
  if (advice.length > 0) return "warn";
  return tools.length === 0 || unsupported.length > 0 ? "note" : "ok";
}

/** One line for a file, and its findings. */
function shortLines(path: string, report: CheckReport, stdout: Output, cwd: string): string[] {
  const found = findingsIn(path, report);
  const { tools, problems, advice, unsupported, runtime } = found;
  const status = statusOf(found);
  const label = styled(stdout, STATUSES[status], status.padEnd(4));
  const [only] = problems;
  if (only && problems.length === 1 && tools.length === 0 && unsupported.length === 0) {
    return [`${label}  ${shownPlace(only, cwd)} (${only.code})`, ...problemText(only, MARGIN, stdout)];
  }
  const names = `${shownNames(tools) || "no tool that can be called"}${runtime === "bun" ? " (runs in Bun)" : ""}`;
  const [head = "", ...more] = indented(`${shownPath(path, cwd)}: ${names}`, MARGIN, stdout.columns, "  ");
  const notes = [...advice, ...unsupported.map((sentence) => `Does not work here: ${sentence}`)];
  return [
    `${label}  ${head.trimStart()}`,
    ...more,
    ...problems.flatMap((problem) => [
      `${MARGIN}${shownPlace(problem, cwd)} (${problem.code})`,
      ...problemText(problem, `${MARGIN}  `, stdout),
    ]),
    ...notes.flatMap((note) => indented(note, MARGIN, stdout.columns)),
  ];
}

const MAX_NAMES = 10;

function shownNames(tools: readonly CheckedTool[]): string {
  return firstNames(
    tools.map(({ name }) => name),
    MAX_NAMES,
  );
}

function placeOf({ name, line }: CheckedTool): string {
  return line === undefined ? `${name}: ` : `${name}, line ${line}: `;
}

function longLines(file: CheckedFile, all: readonly CheckedTool[], stdout: Output, cwd: string): string[] {
  const tools = all.filter((tool) => tool.file === file.file && file.tools.includes(tool.name));
  return [
    `${styled(stdout, "bold", shownPath(file.file, cwd))}${styled(stdout, "dim", printable(formatText(file)))}`,
    ...tools.flatMap((tool) => toolLines(tool, stdout)),
    ...(tools.length === 0 ? ["  no tool that can be called"] : []),
    ...(file.unsupportedFeatures.length > 0 ? ["  does not work here:"] : []),
    ...file.unsupportedFeatures.flatMap((sentence) => indented(sentence, "    ", stdout.columns)),
  ];
}

function formatText({ format, why, runtime }: CheckedFile): string {
  if (format === undefined) return "";
  const because = why === undefined ? "" : `, because ${why}`;
  return `: read as ${FORMS[format]}${because}${runtime === "bun" ? "; runs in Bun" : ""}`;
}

function toolLines(tool: CheckedTool, stdout: Output): string[] {
  const at = tool.line === undefined ? "" : `  ${styled(stdout, "dim", `line ${tool.line}`)}`;
  const line = (text: string): string[] => indented(text, "    ", stdout.columns);
  return [
    `  ${styled(stdout, "bold", tool.name)}${at}`,
    ...line(tool.description.trim() || "(no description)"),
    ...line(argumentsLine(tool.inputSchema)),
    ...(tool.outputSchema ? line(outputLine(tool.outputSchema)) : []),
    ...tool.warnings.flatMap(({ message }) => {
      const [first = "", ...more] = line(`warning: ${message}`);
      return [first.replace("warning:", styled(stdout, "yellow", "warning:")), ...more];
    }),
  ];
}

function clientLines({ title, tools }: ClientReport, stdout: Output): string[] {
  const changed = tools.filter(({ changes }) => changes.length > 0);
  if (changed.length === 0) return [`${styled(stdout, "bold", `For ${title}`)}: no changes`];
  return [
    styled(stdout, "bold", `For ${title}`),
    ...changed.flatMap(({ name, changes }) => [
      `  ${styled(stdout, "bold", name)}`,
      ...changes.flatMap((change) => indented(change, "    ", stdout.columns)),
    ]),
    ...(changed.length < tools.length ? [`  ${countText(tools.length - changed.length, "tool")} sent as written`] : []),
  ];
}

function hookLines({ hooks }: CheckReport, stdout: Output, cwd: string): string[] {
  return hooks.flatMap(({ file, message, fix }) => [
    `${styled(stdout, "yellow", "warn")}  ${shownPath(file, cwd)}`,
    ...indented(message, MARGIN, stdout.columns),
    ...indented(fix, MARGIN, stdout.columns),
  ]);
}

function argumentsLine(schema: JsonSchema): string {
  const fields = fieldTexts(schema);
  return fields.length === 0 ? "takes no arguments" : `takes { ${fields.join(", ")} }`;
}

function outputLine(schema: JsonSchema): string {
  const fields = fieldTexts(schema);
  return fields.length === 0 ? `returns ${typeText(schema, schema)}` : `returns { ${fields.join(", ")} }`;
}

function summary({ files, tools, problems, hooks }: CheckReport): string {
  const warnings = tools.reduce((sum, tool) => sum + tool.warnings.length, hooks.length);
  const missing = files.reduce((sum, file) => sum + file.unsupportedFeatures.length, 0);
  const features = missing === 0 ? "" : `, ${countText(missing, "unsupported feature")}`;
  return `${countText(tools.length, "tool")}, ${countText(problems.length, "problem")}, ${countText(warnings, "warning")}${features}.`;
}

function printBlocked({ blocked }: CheckReport, { terminal, globals }: Invocation): void {
  terminal.stderr.write(`${blockedLines(blocked, terminal.stderr, globals.cwd).join("\n")}\n`);
}
