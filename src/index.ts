import {
  createDefine,
  type Define,
  type DefineAgent,
  type DefinedBy,
  type DefinedTool,
  type DefineInit,
  type DefineResult,
  type InitialisedTool,
} from "./authoring/define.ts";
import type { ToolArgs, ToolContext } from "./authoring/tool-function.ts";
import type { Metadata as MetadataOf } from "./core/tool.ts";
import type { LoadedCustomTools, LoadOptions } from "./surfaces/libraries/custom-tools.ts";
import type { Toolbox, ToolboxOptions } from "./toolbox/toolbox.ts";

export type {
  CustomTool,
  CustomToolAPI,
  CustomToolContext,
  CustomToolFactory,
} from "./authoring/pi/custom-tool-types.ts";
export type { ExtensionAPI, ExtensionContext, ExtensionFactory } from "./authoring/pi/extension-types.ts";
export {
  type ToolContext,
  type ToolDefinition,
  type ToolDefinition as ToolInput,
  tool,
} from "./authoring/tool-function.ts";
export type { CallRequest, Run } from "./calls/call.ts";
export type { CodeHook, CodeHookCall, CodeHooks } from "./calls/code-hooks.ts";
export type { Explained, Explanation } from "./calls/explanation.ts";
export type { AfterAnswer, BeforeAnswer, HookCall } from "./calls/hook-answer.ts";
export type { Answer, Approver, Question } from "./calls/permission-question.ts";
export type { Builtins } from "./catalog/builtin-selection.ts";
export type { Blocked } from "./catalog/discovery/tool-file.ts";
export type { Shadowed, ToolInfo } from "./catalog/registry/registry-entry.ts";
export { AgentError, type AgentErrorCode } from "./core/agent-error.ts";
export type {
  ApiReload as ToolRegistrationResult,
  ApiReloadError as ToolRegistrationError,
  ApiTool as RegisteredToolInfo,
} from "./core/api.ts";
export type { Card, CommandCard, DiffCard, FileCard, ListCard, TodosCard } from "./core/card.ts";
export type {
  AgentCall,
  AgentCallEnd,
  AgentCallStart,
  AgentContext,
  AgentEvent,
  AgentRun,
  AgentSession,
  AgentSessionOptions,
  AgentSource,
  AgentTool,
  CodingAgent,
  CodingAgentEvents,
  PermitAnswer,
  PermitRequest,
  RegisteredTool,
  SessionHistory,
  SessionTools,
} from "./core/coding-agent.ts";
export { ToolError, type ToolErrorCode } from "./core/error.ts";
export type { ToolEvent, Update } from "./core/events.ts";
export type { FormatInfo as About } from "./core/format-info.ts";
export type { Problem, ProblemCode } from "./core/problem.ts";
export type { LoggedQuestion, QuestionAnswer, QuestionAskedEvent, QuestionEvent, RunEvent } from "./core/question.ts";
export type { RenderView } from "./core/render.ts";
export { type Content, type Notes, outputOf, type ToolResult, type Truncated } from "./core/result.ts";
export type { Checked, Issue, JsonSchema, JsonSchema as ToolInputSchema, Schema } from "./core/schema.ts";
export type { SessionAction, SessionEntry, SessionEvent, SessionSnapshot } from "./core/session.ts";
export type {
  DurableEvent,
  FollowedEvent,
  LiveEvent,
  PartialEvent,
  SessionHeader,
  SessionInfo,
  SessionStatus,
  StoredEvent,
  Usage,
} from "./core/session-log.ts";
export {
  type AppendOptions,
  type Claim,
  type ListSessions,
  type LogSnapshot,
  type NewEvent,
  type NewSession,
  SessionError,
  type SessionErrorCode,
  type SessionPage,
  type SessionStore,
} from "./core/session-store.ts";
export type {
  Access,
  AskRequest,
  CallLimits,
  DeclaredAccess,
  Delegated,
  Delegation,
  Hints,
  Limits,
  SessionState,
  Source as ToolSource,
} from "./core/tool.ts";
export type {
  FileReadHandlerConfig,
  HandlerConfig,
  HttpHandlerConfig,
  PluginConfigFile,
  PluginHandlerType,
  PluginToolDefinition,
  ShellHandlerConfig,
} from "./host/formats/json/plugin-file.ts";
export { validatePluginConfigFile, validatePluginToolDefinition } from "./host/formats/json/validate-plugin.ts";
export type { HostCount, HostKind } from "./host/protocol/hosts.ts";
export { firstInfo as firstSessionInfo, infoAfter as sessionInfoAfter } from "./sessions/log/session-info.ts";
export type { Settings } from "./settings/settings.ts";
export type { AgentView } from "./surfaces/libraries/adapted-tools.ts";
export type {
  CustomToolResult,
  LoadedCustomTool,
  LoadedCustomTools,
  LoadOptions,
} from "./surfaces/libraries/custom-tools.ts";
export {
  allowedToolNames,
  type McpServerConfig,
  type McpServerConfig as McpSdkServerConfig,
  type SdkContext,
  type SdkResult,
  type SdkTool,
  type SdkToolContext,
  type ServedSdkTool,
  type ToolResultContent,
  toMcpServerConfig,
} from "./surfaces/libraries/mcp-server-config.ts";
export type { AgentTask, SubAgents } from "./toolbox/sub-agents.ts";
export type {
  CodeTools,
  CommandInfo,
  CommandOutcome,
  CommandRequest,
  CustomView,
  DrawRequest,
  FileInfo,
  OpenSession,
  ProjectInfo,
  Prompt,
  Report,
  RunPermissions,
  SendOptions,
  SessionStart,
  Toolbox,
  ToolboxEvents,
  ToolboxOptions,
  ToolboxSessions,
  ToolboxStatus,
  Turn,
  TurnError,
  TurnResult,
  UIContext,
  View,
} from "./toolbox/toolbox.ts";

/** What a handler of a tool may return: a text, or data. */
export type ToolHandlerResult = string | Readonly<Record<string, unknown>>;

/** The types of `Tool.define`. `A` is the type of the parameters, `M` of the metadata. */
export declare namespace Tool {
  type Metadata = MetadataOf;
  type Context<M extends Metadata = Metadata> = ToolContext<M>;
  type Agent = DefineAgent;
  type InitContext = DefineInit;
  type Result<M extends Metadata = Metadata> = DefineResult<M>;
  type Definition<A extends ToolArgs = ToolArgs, M extends Metadata = Metadata> = DefinedBy<A, M>;
  type Initialised<A extends ToolArgs = ToolArgs, M extends Metadata = Metadata> = InitialisedTool<A, M>;
  type Info<A extends ToolArgs = ToolArgs, M extends Metadata = Metadata> = DefinedTool<A, M>;
}

/** `Tool.define(id, definition)`, or `Tool.define(id, async (init) => definition)`. */
export const Tool: { readonly define: Define } = {
  define: createDefine(async (definition, id, args) => {
    const { checkArguments } = await import("./host/formats/toolwright/check-arguments.ts");
    return checkArguments(definition, id, args);
  }),
};

/** Finds, checks and serves the tools for a directory. Never rejects because of a tool file. */
export async function createToolbox(options: ToolboxOptions = {}): Promise<Toolbox> {
  const { openToolbox } = await import("./toolbox/open-toolbox.ts");
  return openToolbox(options);
}

/** Finds and loads the tools for a directory, and those of the paths, which come first. Never rejects because of a file. */
export async function discoverAndLoadCustomTools(
  configuredPaths: readonly string[],
  cwd: string,
  builtInToolNames: readonly string[] = [],
  options: LoadOptions = {},
): Promise<LoadedCustomTools> {
  const { loadTools } = await import("./surfaces/libraries/custom-tools.ts");
  const from = '"configuredPaths" of discoverAndLoadCustomTools';
  return loadTools({ ...options, cwd, toolsPaths: configuredPaths.map((path) => ({ path, from })) }, builtInToolNames);
}

/** Loads the tools of these files and folders, and no others. Never rejects because of a file. */
export async function loadCustomTools(
  paths: readonly string[],
  cwd: string,
  builtInToolNames: readonly string[] = [],
  options: LoadOptions = {},
): Promise<LoadedCustomTools> {
  const { loadTools } = await import("./surfaces/libraries/custom-tools.ts");
  const from = '"paths" of loadCustomTools';
  const toolsPaths = paths.map((path) => ({ path, from }));
  return loadTools({ ...options, cwd, toolsPaths, onlyGiven: true }, builtInToolNames);
}
