import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { AgentError } from "../../../core/agent-error.ts";
import type { AgentContext, AgentEvent, AgentSession, AgentSessionOptions } from "../../../core/coding-agent.ts";
import { messageOf } from "../../../core/error.ts";
import type { Content } from "../../../core/result.ts";
import { unlessAborted } from "../../../platform/waiting/until-aborted.ts";
import { limitsOf } from "../../../surfaces/client-limits/client-limits.ts";
import { fitTools } from "../../../surfaces/client-limits/fit-tools.ts";
import { type SessionServer, serveSessionTools } from "../../../surfaces/mcp/session-server.ts";
import { AnnouncedCalls } from "../announced-calls.ts";
import { entryName, modelOf, sessionRules } from "./opencode-options.ts";
import { OpencodePermissions } from "./opencode-permissions.ts";
import type { OpencodeClient, OpencodeEvent, OpencodePrompt, OpencodeRule } from "./opencode-sdk.ts";
import type { OpencodeServer } from "./opencode-server.ts";
import { OpencodeTurn, serverEnded } from "./opencode-turn.ts";

/** How long a call waits for the event with its ids. */
const ANNOUNCED_MS = 2_000;
/** The pipeline limits calls. */
const NO_LIMIT_MS = 24 * 3_600_000;
const TITLE_LENGTH = 60;
/** How long OpenCode may take to notice the end of a call of ours in an aborted turn. */
const SETTLE_MS = 150;

/** What a session is opened with, besides its options. */
interface Opening {
  readonly context: AgentContext;
  readonly server: OpencodeServer;
}

/** A session of OpenCode. Our tools are an MCP server of its own. */
export class OpencodeSession implements AgentSession {
  readonly #options: AgentSessionOptions;
  readonly #server: OpencodeServer;
  readonly #client: OpencodeClient;
  readonly #tools: SessionServer;
  readonly #entry: string;
  readonly #calls: AnnouncedCalls;
  readonly #permissions: OpencodePermissions;
  readonly #stopListening: (() => void)[];
  /** The sessions of its sub-agents. */
  readonly #children = new Set<string>();
  readonly #messageIDs = new Set<string>();
  #id = "";
  #wasAborted = false;
  #hasTitle = false;
  #toolsChanged = true;
  #rules: readonly OpencodeRule[] = [];
  #turn: OpencodeTurn | undefined;

  private constructor(
    options: AgentSessionOptions,
    { server, client, listen }: { readonly server: OpencodeServer } & Awaited<ReturnType<OpencodeServer["at"]>>,
    { tools, calls }: { readonly tools: SessionServer; readonly calls: AnnouncedCalls },
  ) {
    this.#options = options;
    this.#server = server;
    this.#client = client;
    this.#tools = tools;
    this.#calls = calls;
    this.#entry = entryName(options.sessionID);
    this.#permissions = new OpencodePermissions(options, client);
    this.#stopListening = [
      listen((event) => this.#handle(event)),
      options.tools.onChange(() => {
        this.#toolsChanged = true;
      }),
    ];
    server.ended.then((message) => this.#turn?.end(serverEnded(message)));
  }

  static async open(
    options: AgentSessionOptions,
    resumed: string | undefined,
    { context, server }: Opening,
  ): Promise<OpencodeSession> {
    const { sessionID, directory } = options;
    const place = await server.at(directory);
    const calls = new AnnouncedCalls(ANNOUNCED_MS);
    const tools = await serveSessionTools(options.tools, {
      sessionID,
      directory,
      toolwrightHome: context.toolwrightHome,
      // OpenCode's tools for resources would show those of other sessions too, and its model is not shown links.
      resources: false,
      fit: (shown, client) => fitTools(shown, limitsOf(client), entryName(sessionID)).map(({ tool }) => tool),
      identify: (call) => calls.take(call),
    });
    const session = new OpencodeSession(options, { server, ...place }, { tools, calls });
    try {
      const opening = session.#open(resumed);
      await (options.signal ? unlessAborted(options.signal, opening) : opening);
      return session;
    } catch (error) {
      const closing = session.close();
      // A server that hangs does not close it either.
      if (!options.signal?.aborted) await closing;
      throw error instanceof AgentError ? error : failed("OpenCode cannot open a session", error);
    }
  }

  get id(): string {
    return this.#id;
  }

  async *send(prompt: readonly Content[]): AsyncGenerator<AgentEvent> {
    const { baseUrl } = this.#options;
    const turn = new OpencodeTurn({
      baseUrl,
      messageIDs: this.#messageIDs,
      ourName: (tool) => this.#ourName(tool),
      onOurCall: (call) => this.#calls.announce(call),
      onOurCallEnd: (callID) => this.#calls.withdraw(callID),
      isIdle: () => this.#isIdle(),
    });
    this.#turn = turn;
    try {
      await this.#begin(prompt, turn).catch((error: unknown) =>
        turn.end(failed("OpenCode did not accept the prompt", error)),
      );
      yield* turn.queue;
    } finally {
      turn.end();
      this.#turn = undefined;
      this.#calls.clear();
    }
  }

  async abort(): Promise<void> {
    if (!this.#turn) return;
    // Without its prompt, OpenCode has no turn to abort.
    if (!this.#turn.isSent) return this.#turn.end();
    this.#wasAborted = true;
    await this.#client.session.abort({ sessionID: this.#id });
  }

  async close(): Promise<void> {
    const isRunning = this.#turn !== undefined;
    for (const stop of this.#stopListening) stop();
    this.#turn?.end();
    await this.#tools.close();
    if (isRunning) await this.#client.session.abort({ sessionID: this.#id }).catch(() => {});
    await this.#server.leave(this.#entry, this, () => this.#client.mcp.disconnect({ name: this.#entry }));
  }

  async #open(resumed: string | undefined): Promise<void> {
    await this.#connect();
    const rules = await this.#currentRules();
    this.#rules = rules;
    if (resumed === undefined) {
      this.#id = (await this.#client.session.create({ permission: rules })).data.id;
      return;
    }
    const found = await this.#client.session.get({ sessionID: resumed }).catch((error: unknown) => {
      throw new AgentError("session_not_found", `OpenCode no longer has the session ${resumed}.`, { cause: error });
    });
    this.#id = resumed;
    this.#hasTitle = true;
    // Rules are added to those of the session.
    if (!isDeepStrictEqual(found.data.permission?.slice(-rules.length), rules)) await this.#setRules(rules);
  }

  /** Sends a prompt, with the current tools, unless the turn ends before that. */
  async #begin(prompt: readonly Content[], turn: OpencodeTurn): Promise<void> {
    const { systemPrompt } = this.#options;
    const sessionID = this.#id;
    if (this.#wasAborted) await this.#endAborted();
    if (this.#toolsChanged) await this.#connect();
    const rules = await this.#currentRules();
    if (!isDeepStrictEqual(rules, this.#rules)) await this.#setRules(rules);
    const parts = prompt.map(toPart);
    const title = this.#hasTitle ? "" : titleOf(prompt);
    // Without a title, OpenCode asks the model for one.
    if (title !== "") await this.#client.session.update({ sessionID, title });
    this.#hasTitle = true;
    const model = modelOf(this.#options);
    if (turn.over.signal.aborted) return;
    turn.isSent = true;
    await this.#client.session.promptAsync({
      sessionID,
      parts,
      ...(model === undefined ? {} : { model }),
      ...(systemPrompt === undefined ? {} : { system: systemPrompt.toWellFormed() }),
    });
  }

  /**
   * OpenCode says that an aborted turn is over while it still waits for a call of ours. When that ends, the old turn would go on
   * beside the new one, and both would ask the model. The call has ended by now, so the old turn ends if it is aborted again.
   */
  async #endAborted(): Promise<void> {
    await sleep(SETTLE_MS);
    await this.#client.session.abort({ sessionID: this.#id });
    await sleep(SETTLE_MS);
    this.#wasAborted = false;
  }

  /** Adds the MCP server, or replaces it: OpenCode then lists its tools before it answers. */
  async #connect(): Promise<void> {
    const { urlWithoutToken: url, token } = this.#tools;
    const headers = { Authorization: `Bearer ${token}` };
    this.#toolsChanged = false;
    await this.#server.enter(this.#entry, this);
    const { data } = await this.#client.mcp.add({
      name: this.#entry,
      config: { type: "remote", url, headers, oauth: false, timeout: NO_LIMIT_MS },
    });
    const { status = "failed", error = status } = data[this.#entry] ?? {};
    if (status === "connected") return;
    throw new AgentError("agent_failed", `OpenCode could not connect to the server with the tools at ${url}: ${error}`);
  }

  async #currentRules(): Promise<readonly OpencodeRule[]> {
    const { data } = await this.#client.config.get();
    const names = this.#options.tools.list().map(({ name }) => name);
    return sessionRules(this.#entry, names, data.permission);
  }

  async #setRules(rules: readonly OpencodeRule[]): Promise<void> {
    await this.#client.session.update({ sessionID: this.#id, permission: rules });
    this.#rules = rules;
  }

  /** If OpenCode does not answer, the event that it is idle counts. */
  async #isIdle(): Promise<boolean> {
    const answered = await this.#client.session.status().catch(() => undefined);
    return (answered?.data[this.#id]?.type ?? "idle") === "idle";
  }

  #handle(event: OpencodeEvent): void {
    if (event.type === "session.created") {
      const { id, parentID } = event.properties.info;
      // The event of this session itself may come before its id is known here.
      if (parentID !== undefined && (parentID === this.#id || this.#children.has(parentID))) this.#children.add(id);
    }
    const sessionID = sessionOf(event);
    const isChild = sessionID !== undefined && this.#children.has(sessionID);
    if (sessionID !== this.#id && !isChild) return;
    if (event.type === "message.part.updated") this.#permissions.noteCall(event.properties.part);
    if (event.type === "permission.asked") {
      void this.#permissions.answer(event.properties, this.#turn?.over.signal);
    } else if (!isChild) this.#turn?.handle(event);
  }

  /** OpenCode replaces other characters in names. */
  #ourName(tool: string): string | undefined {
    if (!tool.startsWith(`${this.#entry}_`)) return undefined;
    const shown = tool.slice(this.#entry.length + 1);
    for (const [as, name] of this.#tools.listed ?? []) {
      if (as.replaceAll(/[^a-zA-Z0-9_-]/g, "_") === shown) return name;
    }
    return shown;
  }
}

function sessionOf(event: OpencodeEvent): string | undefined {
  if (!("properties" in event)) return undefined;
  const { properties } = event;
  if ("part" in properties) return properties.part.sessionID;
  if ("info" in properties) return "sessionID" in properties.info ? properties.info.sessionID : properties.info.id;
  return properties.sessionID;
}

function toPart(part: Content): OpencodePrompt["parts"][number] {
  if (part.type === "text") return { type: "text", text: part.text.toWellFormed() };
  const { data, mimeType } = part;
  const { name, url } = part.type === "file" ? part : { name: undefined, url: undefined };
  if (data !== undefined) {
    const filename = name === undefined ? {} : { filename: name };
    return { type: "file", mime: mimeType, url: `data:${mimeType};base64,${data}`, ...filename };
  }
  return { type: "text", text: `[file${name === undefined ? "" : ` "${name}"`}, ${mimeType}: ${url}]` };
}

/** The beginning of the prompt. */
function titleOf(prompt: readonly Content[]): string {
  const text = prompt.find((part) => part.type === "text")?.text ?? "";
  const [line = ""] = text.trim().split("\n", 1);
  return [...line.toWellFormed()].slice(0, TITLE_LENGTH).join("");
}

function failed(what: string, error: unknown): AgentError {
  return AgentError.is(error)
    ? error
    : new AgentError("agent_failed", `${what}: ${messageOf(error)}`, { cause: error });
}
