import { COMMAND_NAME, type CommandDeclaration, MAX_COMMAND_DESCRIPTION } from "../../core/file-command.ts";
import type { FormatInfo } from "../../core/format-info.ts";
import type { Problem, ProblemCode } from "../../core/problem.ts";
import { type Format, type Hints, type Keep, type Limits, TOOL_NAME } from "../../core/tool.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { isCard } from "./card-check.ts";
import { type Check, isFlag, isJsonObject, isLimit, isText, listOf, object, oneOf, optional } from "./checks.ts";
import type { FileManifest, ToolManifest } from "./manifest.ts";

const isFormat = oneOf<Format>({
  tool: true,
  factory: true,
  define: true,
  json: true,
  "pi-extension": true,
  "opencode-plugin": true,
  "openclaw-plugin": true,
  sdk: true,
  "ai-sdk": true,
  mastra: true,
  langchain: true,
  "openai-agents": true,
  anthropic: true,
  llamaindex: true,
  strands: true,
  voltagent: true,
  "tanstack-ai": true,
  agentkit: true,
  adk: true,
  roo: true,
  "amp-plugin": true,
  "mcp-module": true,
  xmcp: true,
  mcp: true,
});

const isProblem = object<Problem>({
  file: isText,
  line: optional((line) => Number.isSafeInteger(line)),
  column: optional((column) => Number.isSafeInteger(column)),
  code: oneOf<ProblemCode>({
    unreadable: true,
    syntax: true,
    import_failed: true,
    import_timeout: true,
    needs_bun: true,
    not_a_tool: true,
    bad_name: true,
    bad_schema: true,
    bad_definition: true,
    name_taken: true,
    init_failed: true,
    plugin_failed: true,
  }),
  message: isText,
  tool: optional(isText),
  frame: optional(isText),
});

const isLimits = object<Limits>({
  timeoutMs: optional(isLimit),
  maxLines: optional(isLimit),
  maxBytes: optional(isLimit),
  keep: optional(oneOf<Keep>({ head: true, tail: true, both: true })),
  own: optional((own) => isObject(own) && Object.values(own).every(isLimit)),
});

const isHints = object<Hints>({
  title: optional(isText),
  readOnly: optional(isFlag),
  destructive: optional(isFlag),
  idempotent: optional(isFlag),
  openWorld: optional(isFlag),
  card: optional(isCard),
});

const TOOL = {
  name: (name) => typeof name === "string" && TOOL_NAME.test(name),
  description: isText,
  inputSchema: isJsonObject,
  outputSchema: optional(isJsonObject),
  format: isFormat,
  exportName: optional(isText),
  pluginName: optional(isText),
  pluginVersion: optional(isText),
  limits: isLimits,
  hints: isHints,
  declaresAccess: isFlag,
  subagents: optional(isFlag),
  delegates: optional(isFlag),
  providers: optional(listOf(isText)),
  renders: optional(isFlag),
  returnsNothing: optional(isFlag),
} satisfies { readonly [K in keyof ToolManifest]-?: Check };

const isTool = object<ToolManifest>(TOOL);

/** The first field of a tool that is invalid as JSON; undefined if all are valid. */
export function faultInTool(tool: ToolManifest): string | undefined {
  return Object.entries<Check>(TOOL).find(([name, check]) => !check(sent(tool[name as keyof ToolManifest])))?.[0];
}

/** A value as the other process would read it. */
function sent(value: unknown): unknown {
  if (typeof value !== "object") return value;
  return tryOrUndefined(() => JSON.parse(JSON.stringify(value))) ?? null;
}

const isCommand = object<CommandDeclaration>({
  name: (name) => typeof name === "string" && COMMAND_NAME.test(name),
  description: optional((text) => typeof text === "string" && text.length <= MAX_COMMAND_DESCRIPTION),
});

/** Files, each with its stamp. */
export const isImports: Check = listOf((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isText));

/** A manifest as a host sends it. */
export const isManifest: Check = object<FileManifest>({
  file: isText,
  tools: listOf(isTool),
  problems: listOf(isProblem),
  problemsIfToolsExpected: optional(listOf(isProblem)),
  imports: isImports,
  about: optional(object<FormatInfo>({ format: isFormat, why: isText, unsupportedFeatures: listOf(isText) })),
  onlyForDirectory: optional(isText),
  hooks: optional(listOf(oneOf<"before" | "after">({ before: true, after: true }))),
  commands: optional(listOf(isCommand)),
  followsSessions: optional(isFlag),
  announces: optional(isFlag),
  runtime: optional(oneOf<"bun">({ bun: true })),
  transientFailure: optional(oneOf<"unresolved" | "threw">({ unresolved: true, threw: true })),
  // Written to the cache by the serving process only.
  unfinished: (value) => value === undefined,
  lastHooks: (value) => value === undefined,
});
