import { resolve } from "node:path";
import { isObject } from "../../../platform/values/is-object.ts";
import type { PluginHooks } from "./openclaw-hooks.ts";
import type { PluginCommands } from "./plugin-commands.ts";
import { pluginLogger, pluginRuntime } from "./plugin-runtime.ts";
import { expandHome } from "./plugin-settings.ts";
import type { PluginState } from "./plugin-state.ts";
import type { PluginTools } from "./plugin-tools.ts";

/** The parts of a plugin that have an effect in Toolwright. */
export interface PluginParts {
  readonly tools: PluginTools;
  readonly hooks: PluginHooks;
  readonly commands: PluginCommands;
}

/** The argument of `register`. Registrations that only OpenClaw uses are recorded, and have no effect. */
export function createPluginApi(state: PluginState, { tools, hooks, commands }: PluginParts): object {
  const { at, settings } = state;
  const { id, name, version, description, rootDir, config, pluginConfig } = settings;
  const known: Record<string, unknown> = {
    ...Object.fromEntries(REGISTRATIONS.map((key) => [key, registration(`api.${key}`, state)])),
    id,
    name,
    version,
    description,
    source: at.file.path,
    rootDir,
    registrationMode: "full",
    config,
    pluginConfig,
    logger: pluginLogger(state),
    runtime: pluginRuntime(state),
    resolvePath: (path: unknown) => resolve(at.host.cwd, expandHome(String(path))),
    registerTool: (tool: unknown, options?: unknown) => tools.add(tool, options),
    registerCommand: (command: unknown) => commands.add(command),
    on: (event: unknown, handler: unknown, options?: unknown) => hooks.add(String(event), handler, options),
    registerTrustedToolPolicy: (policy: unknown) => hooks.addPolicy(policy),
    registerHook: (events: unknown, handler: unknown, options?: unknown) => {
      for (const event of [events].flat()) hooks.add(String(event), handler, options);
    },
  };
  return new Proxy(known, {
    get: (target, key) => {
      if (typeof key === "symbol" || key in target) return target[key as string];
      if (NAMESPACES.has(key)) return namespace(`api.${key}`, state);
      return /^(?:register|on)[A-Z]/.test(key) ? registration(`api.${key}`, state) : undefined;
    },
  });
}

/** The functions without effect. Plugins copy the API object, so its members must be its own. */
const REGISTRATIONS = [
  ...[
    "Service",
    "Cli",
    "GatewayMethod",
    "HttpRoute",
    "HttpHandler",
    "Channel",
    "CliBackend",
    "Reload",
    "ContextEngine",
  ],
  ...["Provider", "SpeechProvider", "RealtimeTranscriptionProvider", "RealtimeVoiceProvider", "WebSearchProvider"],
  ...["MediaUnderstandingProvider", "ImageGenerationProvider", "VideoGenerationProvider", "MusicGenerationProvider"],
  ...["WebFetchProvider", "CompactionProvider", "MigrationProvider", "MemoryEmbeddingProvider", "TextTransforms"],
  ...["MemoryCapability", "MemoryPromptSection", "MemoryPromptSupplement", "MemoryCorpusSupplement", "MemoryFlushPlan"],
  ...["MemoryRuntime", "AgentHarness", "AgentToolResultMiddleware", "AgentEventSubscription", "SessionExtension"],
  ...["SessionAction", "SessionSchedulerJob", "RuntimeLifecycle", "DetachedTaskRuntime", "ToolMetadata"],
  ...["ControlUiDescriptor", "NodeHostCommand", "NodeInvokePolicy", "SecurityAuditCollector", "ConfigMigration"],
  ...["GatewayDiscoveryService", "AutoEnableProbe", "InteractiveHandler", "CodexAppServerExtensionFactory"],
].map((name) => `register${name}`);

/** Groups of functions in newer versions of OpenClaw. */
const NAMESPACES = new Set(["agent", "session", "lifecycle", "runContext", "controlUi", "nodeHost"]);

function namespace(path: string, state: PluginState): object {
  return new Proxy(registration(path, state), {
    get: (_target, key) => (typeof key === "symbol" || key === "then" ? undefined : namespace(`${path}.${key}`, state)),
  });
}

function registration(path: string, state: PluginState): (first?: unknown) => undefined {
  return (first) => {
    state.ignore(sentenceFor(path, nameOf(first)));
    return undefined;
  };
}

const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  "api.registerService": "is not started",
  "api.registerGatewayMethod": "is not served",
  "api.registerHttpRoute": "is not served",
  "api.registerCli": "is not added to a command line",
};

function sentenceFor(path: string, name: string | undefined): string {
  const what =
    name === undefined ? `What it registers with ${path}()` : `"${name}", which it registers with ${path}(),`;
  return `${what} ${WITHOUT_EFFECT[path] ?? "has no effect"}: Toolwright serves tools, commands, and hooks around calls.`;
}

/** The first argument of a register function: a name, or an object with one. */
function nameOf(first: unknown): string | undefined {
  const { id, name, path } = isObject(first) ? first : { id: first };
  return [id, name, path].find((each) => typeof each === "string");
}
