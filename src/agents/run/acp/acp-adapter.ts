import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentError } from "../../../core/agent-error.ts";
import type { AgentContext, AgentSession, AgentSessionOptions } from "../../../core/coding-agent.ts";
import { guardFolder } from "../../../platform/processes/process-guard.ts";
import { limitsOf } from "../../../surfaces/client-limits/client-limits.ts";
import { fitTools } from "../../../surfaces/client-limits/fit-tools.ts";
import { type SessionServer, serveSessionTools } from "../../../surfaces/mcp/session-server.ts";
import type { AgentAdapter } from "../adapted-agent.ts";
import { type AgentProgram, findCommand, importPackage } from "../agent-packages.ts";
import { isSessionMissing, toAgentError } from "./acp-errors.ts";
import { AcpProcess } from "./acp-process.ts";
import type { AcpProgram, PreparedProgram } from "./acp-program.ts";
import { ACP_PROGRAMS, otherProgram } from "./acp-programs.ts";
import type { AcpSdk, OpenedResult } from "./acp-sdk.ts";
import { AcpEvents, AcpSession } from "./acp-session.ts";

const SDK = { module: "@agentclientprotocol/sdk", install: "@agentclientprotocol/sdk@2" };
/** How long the agent may take to open a session. It connects to its MCP servers then. */
const OPEN_MS = 120_000;
/** How long the agent may then take to list our tools. Its model may not have them otherwise. */
const LIST_MS = 10_000;

/** An agent that speaks the Agent Client Protocol: one of the table, or one whose command is in the settings. */
export function createAcpAdapter(name: string, context: AgentContext): AgentAdapter {
  const program = Object.hasOwn(ACP_PROGRAMS, name) ? (ACP_PROGRAMS[name] as AcpProgram) : otherProgram;
  const needed = neededProgram(name, program);
  let loaded: { readonly sdk: AcpSdk; readonly command: readonly string[] } | undefined;
  let stopping = new AbortController();
  const opening = new Set<Promise<unknown>>();
  return {
    name,
    builtins: program.builtins ?? false,
    keepsHistory: true,
    needs: [needed, ...(program.starts ?? []), SDK],
    start: async () => {
      const command = findCommand(needed, context);
      loaded = { sdk: await importPackage<AcpSdk>(SDK, context), command };
    },
    // Sessions that are still being opened end here. The others are closed before.
    stop: async () => {
      stopping.abort();
      stopping = new AbortController();
      await Promise.allSettled(opening);
    },
    openSession: async (options, resumed) => {
      if (!loaded) throw new AgentError("not_started", `${name} has not been started.`);
      const stopped = options.signal ? AbortSignal.any([stopping.signal, options.signal]) : stopping.signal;
      const agent = { name, program, context, ...loaded, stopped };
      const opened = openSession(agent, options, resumed);
      opening.add(opened);
      try {
        return await opened;
      } finally {
        opening.delete(opened);
      }
    },
  };
}

interface Agent {
  readonly name: string;
  readonly program: AcpProgram;
  readonly context: AgentContext;
  readonly sdk: AcpSdk;
  readonly command: readonly string[];
  /** Fires when the agent is stopped, or the session is no longer wanted, while it opens one. */
  readonly stopped: AbortSignal;
}

/** The program of the table, or one whose command is in the settings. */
function neededProgram(name: string, { program }: AcpProgram): AgentProgram {
  if (!program) return { name, program: name, install: { command: OTHER } };
  const { programs, ...rest } = program;
  const [first = name, ...aliases] = programs;
  return { name, program: first, aliases, ...rest };
}

const OTHER = 'set its command in "agents": { "programs": … } of your settings';

async function openSession(
  agent: Agent,
  options: AgentSessionOptions,
  resumed: string | undefined,
): Promise<AgentSession> {
  const { name, program, context, sdk, command, stopped } = agent;
  if (resumed !== undefined && program.resumesWith === undefined) throw notFound(name);
  const undo: (() => Promise<void>)[] = [];
  let closing: Promise<void> | undefined;
  const undoAll = async (): Promise<void> => {
    for (const each of undo.splice(0).reverse()) await each().catch(() => {});
  };
  const close = (): Promise<void> => {
    closing ??= undoAll();
    return closing;
  };
  try {
    const server = await serveTools(program, context, options, () => events);
    undo.push(() => server.close());
    const events = new AcpEvents(name, program, options, server);
    const folder = await temporaryFolder(undo);
    const prepared = await program.prepare({ options, context, server, folder });
    // Programs that are ended leave temporary files.
    const env = { ...context.env, TMPDIR: folder, TMP: folder, TEMP: folder, ...prepared.env };
    const started = { name, command: [...command, ...(prepared.args ?? [])], cwd: options.directory, env };
    const process = await AcpProcess.start(sdk, started, events, stopped);
    undo.push(() => process.end());
    stopped.addEventListener("abort", close);
    stopped.throwIfAborted();
    const id = await open(agent, process, prepared, { ...options, resumed });
    if (program.listsAtOpen && options.tools.list().length > 0) await server.untilListed(LIST_MS);
    const preface = resumed === undefined ? prepared.preface : undefined;
    stopped.throwIfAborted();
    stopped.removeEventListener("abort", close);
    return new AcpSession(id, { agent: name, process, events, close, preface });
  } catch (error) {
    await close();
    throw toAgentError(name, error);
  }
}

async function temporaryFolder(undo: (() => Promise<void>)[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tw-"));
  const release = guardFolder(folder);
  undo.push(async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    release();
  });
  return folder;
}

function serveTools(
  { server, limits }: AcpProgram,
  { toolwrightHome }: AgentContext,
  { tools, sessionID, directory }: AgentSessionOptions,
  events: () => AcpEvents,
): Promise<SessionServer> {
  return serveSessionTools(tools, {
    sessionID,
    directory,
    toolwrightHome,
    // Gemini shows its model only the type of an embedded file.
    resources: false,
    fit: (shown, client) => fitTools(shown, limits ?? limitsOf(client), server).map(({ tool }) => tool),
    identify: (call) => events().identify(call),
    permit: (request) => events().permit(request),
    onMessage: (message) => events().message(message),
  });
}

/** Creates the agent's session, or continues it. Returns its id. */
async function open(
  { name, program }: Agent,
  process: AcpProcess,
  { servers, model }: PreparedProgram,
  { directory: cwd, sessionID, resumed }: AgentSessionOptions & { readonly resumed: string | undefined },
): Promise<string> {
  const params = { cwd, mcpServers: servers };
  const { loadSession, sessionCapabilities } = process.initialized.agentCapabilities ?? {};
  const method = program.resumesWith;
  if (resumed === undefined || method === undefined) {
    const opened = await process.request<OpenedResult>("session/new", params, OPEN_MS);
    const id = opened.sessionId ?? "";
    if (model !== undefined) await selectModel(name, process, { ...opened, sessionId: id }, model);
    const title = `Toolwright ${sessionID}`;
    if (program.wantsTitle) await process.request("session/set_title", { sessionId: id, title }).catch(() => {});
    return id;
  }
  const canResume = method === "session/load" ? loadSession === true : sessionCapabilities?.resume !== undefined;
  if (!canResume) throw notFound(name);
  try {
    const opened = await process.request<OpenedResult>(method, { ...params, sessionId: resumed }, OPEN_MS);
    if (model !== undefined) await selectModel(name, process, { ...opened, sessionId: resumed }, model);
    return resumed;
  } catch (error) {
    if (!AgentError.is(error) && isSessionMissing(error)) throw notFound(name, error);
    throw error;
  }
}

async function selectModel(
  name: string,
  process: AcpProcess,
  { sessionId, configOptions = [] }: OpenedResult,
  model: string,
): Promise<void> {
  const option = configOptions.find(({ id, category }) => category === "model" || id === "model");
  if (option?.currentValue === model) return;
  const known = (option?.options ?? []).flatMap(({ value, options = [] }) => [
    ...(value === undefined ? [] : [value]),
    ...options.map((each) => each.value),
  ]);
  if (!option || !known.includes(model)) {
    const hint =
      known.length === 0 ? "Choose the model in its own settings." : `It has: ${known.slice(0, 20).join(", ")}.`;
    throw new AgentError("unsupported", `${name} has no model "${model}" to choose. ${hint}`);
  }
  await process.request("session/set_config_option", { sessionId, configId: option.id, value: model });
}

function notFound(name: string, cause?: unknown): AgentError {
  return new AgentError("session_not_found", `${name} no longer has this session, or cannot continue it.`, { cause });
}
