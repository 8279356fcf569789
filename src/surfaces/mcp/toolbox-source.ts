import type { ServerCapabilities } from "@modelcontextprotocol/server";
import type { Log } from "../../core/log.ts";
import { within } from "../../platform/waiting/within.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { ClientTools } from "./client-tools.ts";
import { listNames } from "./list-names.ts";
import type { ClientIdentity } from "./mcp-client.ts";
import { OutputResources } from "./output-resources.ts";
import type { ResolvedOptions } from "./server-options.ts";
import type { ConnectedTools, ToolSource } from "./tool-source.ts";

/** The limit of open sessions, since modern clients can name any number. Beyond it the oldest ends. */
const MAX_SESSIONS = 10_000;
/** The first call of a session waits at most this long for session handlers. */
const SESSION_START_MS = 3_000;

/** A toolbox as it is served over MCP. It runs no author's code and starts no process before a client's first request. */
export class ToolboxSource implements ToolSource {
  readonly capabilities: ServerCapabilities = { tools: { listChanged: true }, resources: {}, logging: {} };
  readonly outputs: OutputResources = new OutputResources();
  readonly directory: string;
  readonly home: string;
  readonly #toolbox: Toolbox;
  readonly #options: ResolvedOptions;
  /** Open sessions, with the promise of those whose handlers are still running. */
  readonly #sessions = new Map<string, Promise<void> | undefined>();
  readonly #ending = new Set<Promise<void>>();
  #watching: Promise<() => Promise<void>> | undefined;

  constructor(toolbox: Toolbox, options: ResolvedOptions) {
    this.#toolbox = toolbox;
    this.#options = options;
    this.directory = toolbox.project.directory;
    this.home = toolbox.project.homes.toolwrightHome;
  }

  get instructions(): string | undefined {
    return instructionsFor(this.#toolbox, this.#options);
  }

  connect(): ConnectedTools {
    return new ClientTools(this.#toolbox, this.#options, (sessionID) => this.#beginSession(sessionID));
  }

  onChange(listener: () => void): () => void {
    return this.#toolbox.on("change", listener);
  }

  onPrint(listener: Log): () => void {
    return this.#toolbox.on("log", ({ text, source }) => listener(text, source));
  }

  async listable(client: ClientIdentity | undefined): Promise<void> {
    const by = this.#options.listBy?.(client);
    await (by === undefined ? this.#toolbox.ready() : this.#toolbox.listable(Math.max(0, by - performance.now())));
    if (!this.#options.watches) return;
    // Tools are served even if the files cannot be watched.
    this.#watching ??= this.#toolbox.watch().catch(() => async () => {});
    await this.#watching;
  }

  endSession(sessionID: string): void {
    this.outputs.deleteSession(sessionID);
    if (!this.#sessions.delete(sessionID)) return;
    const ended = this.#toolbox.sessions.tell(sessionID, { reason: "shutdown" });
    this.#ending.add(ended);
    void ended.finally(() => this.#ending.delete(ended));
  }

  async close(): Promise<void> {
    const stop = await this.#watching;
    await Promise.all([stop?.(), ...this.#ending]);
  }

  /**
   * Runs the session handlers of tool files at the first call of a session, because no author's code runs before that. Returns
   * a promise while the handlers run, for at most `SESSION_START_MS`. The handlers of the file that is called always run
   * before the call.
   */
  #beginSession(sessionID: string): Promise<void> | undefined {
    if (this.#sessions.has(sessionID)) return this.#sessions.get(sessionID);
    const telling = this.#toolbox.sessions.tell(sessionID, { reason: "start" });
    const started = within(SESSION_START_MS, telling).then(() => {
      if (this.#sessions.has(sessionID)) this.#sessions.set(sessionID, undefined);
    });
    this.#sessions.set(sessionID, started);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.endSession(oldest);
    return started;
  }
}

/**
 * What a model should know about this server: the names of the tools, by which clients with a tool search find them, and why
 * tools are missing. Undefined if there is nothing to say. It describes the tools at the time of the connection.
 */
function instructionsFor(toolbox: Toolbox, { includes }: ResolvedOptions): string | undefined {
  const tools = toolbox.list({ agent: "" }).filter((tool) => includes(tool, undefined));
  const [blocked] = toolbox.status.blocked;
  const sentences = [
    ...(tools.length === 0
      ? []
      : [`Tools that the user and this project provide: ${listNames(tools.map(({ name }) => name))}.`]),
    ...(blocked
      ? [
          `The tools of ${toolbox.project.root} are not served, because the user has not trusted this project. To serve them, the user must run: ${blocked.fix}`,
        ]
      : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join("\n");
}
