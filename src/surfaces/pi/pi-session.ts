import { CALL_ID_META } from "../../core/agent-extension.ts";
import { messageOf } from "../../core/error.ts";
import { VERSION } from "../../core/version.ts";
import { within } from "../../platform/waiting/within.ts";
import { askUser } from "./ask-user.ts";
import type { ServerConnection, ServerListener } from "./mcp-connection.ts";
import type { PiApi, PiContext, PiToolResult, RegisteredPiTool } from "./pi-api.ts";
import { type ListedMcpTool, textIn, toPiContent } from "./served-tool.ts";

/** pi waits for this before the first request to the model. A slower server adds its tools later. */
const START_MS = 15_000;

type Connect = (cwd: string, listener: ServerListener) => ServerConnection;

/** The tools of an MCP server as tools of a session of pi. `name` is the name of the server in pi. */
export class PiSession {
  readonly #pi: PiApi;
  readonly #name: string;
  readonly #connectTo: Connect;
  /** The tools that pi has from us, by their names in pi. */
  readonly #registered = new Map<string, ListedMcpTool>();
  /** The names of tools that the server no longer has. pi still knows them. */
  readonly #removed = new Set<string>();
  readonly #progress = new Map<number, (update: PiToolResult) => void>();
  #context: PiContext | undefined;
  #connected: Promise<ServerConnection> | undefined;
  #hasEnded = false;

  constructor(pi: PiApi, name: string, connect: Connect) {
    this.#pi = pi;
    this.#name = name;
    this.#connectTo = connect;
  }

  /** Whether a tool of pi is one of the server. */
  has(tool: string): boolean {
    return this.#registered.has(tool);
  }

  async start(context: PiContext): Promise<void> {
    this.#context = context;
    this.#hasEnded = false;
    const started = this.#connect().then(
      () => {},
      (error: unknown) => this.#warn(`The tools of Toolwright are missing. ${messageOf(error)} Try: toolwright doctor`),
    );
    await within(START_MS, started);
  }

  async end(): Promise<void> {
    this.#hasEnded = true;
    const process = await this.#connected?.catch(() => undefined);
    this.#connected = undefined;
    await process?.close();
  }

  /** The running server. Starts it if it has ended, or was never started. */
  #connect(): Promise<ServerConnection> {
    if (this.#hasEnded) return Promise.reject(new Error("The session has ended."));
    if (this.#connected) return this.#connected;
    const connected: Promise<ServerConnection> = this.#open(() => {
      if (this.#connected === connected) this.#connected = undefined;
    });
    this.#connected = connected;
    return connected;
  }

  async #open(ended: () => void): Promise<ServerConnection> {
    const context = this.#context as PiContext;
    const process: ServerConnection = this.#connectTo(context.cwd, {
      notified: (method, params) => {
        if (method === "notifications/progress") this.#report(params);
        if (method === "notifications/tools/list_changed") this.#update(process).catch(() => {});
      },
      requested: async (method, params) => {
        if (method === "ping") return {};
        if (method === "elicitation/create" && this.#context?.hasUI) return askUser(params, this.#context.ui);
        throw new Error(`pi does not support ${method}`);
      },
      ended,
    });
    try {
      await process.request("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: context.hasUI ? { elicitation: { form: {} } } : {},
        // Only oh-my-pi has a logger for extensions.
        clientInfo: { name: "logger" in this.#pi ? "oh-my-pi" : "pi", version: VERSION },
      });
      process.notify("notifications/initialized");
      await this.#update(process);
      return process;
    } catch (error) {
      ended();
      await process.close();
      throw error;
    }
  }

  /**
   * Registers the tools that the server has now. pi activates a new tool. It cannot remove one, so a tool that is gone is
   * deactivated. The others stay as the user has set them.
   */
  async #update(process: ServerConnection): Promise<void> {
    const served = await listTools(process);
    if (this.#hasEnded) return;
    const isOurs = (name: string): boolean => this.#registered.has(name) || this.#removed.has(name);
    const theirs = this.#pi.getAllTools().filter(({ name }) => !isOurs(name));
    const others = new Map(theirs.map(({ name, description = "" }) => [name, description]));
    const wanted = new Map<string, ListedMcpTool>();
    for (const tool of served) {
      const name = nameFor(tool, this.#name, others);
      if (name !== undefined) wanted.set(name, tool);
    }
    const gone = [...this.#registered.keys()].filter((name) => !wanted.has(name));
    const returned = [...wanted.keys()].filter((name) => this.#removed.delete(name));
    for (const [name, tool] of wanted) {
      if (JSON.stringify(this.#registered.get(name)) === JSON.stringify(tool)) continue;
      this.#registered.set(name, tool);
      this.#pi.registerTool(this.#toPiTool(name, tool));
    }
    for (const name of gone) {
      this.#registered.delete(name);
      this.#removed.add(name);
    }
    if (gone.length + returned.length === 0) return;
    const active = this.#pi.getActiveTools().filter((name) => !gone.includes(name) && !returned.includes(name));
    await this.#pi.setActiveTools([...active, ...returned]);
  }

  #toPiTool(name: string, tool: ListedMcpTool): RegisteredPiTool {
    const { title, description = "", inputSchema, annotations } = tool;
    return {
      name,
      label: title ?? annotations?.title ?? tool.name,
      description,
      parameters: inputSchema,
      loadMode: "essential",
      ...(annotations ? { annotations } : {}),
      execute: async (id, input, signal, onUpdate, context) => {
        this.#context = context;
        const process = await this.#connect();
        return this.#call(process, { name: tool.name, arguments: input ?? {} }, id, { signal, onUpdate });
      },
    };
  }

  async #call(
    process: ServerConnection,
    params: { readonly name: string; readonly arguments: unknown },
    callID: string,
    { signal, onUpdate }: { signal: AbortSignal | undefined; onUpdate: ((update: PiToolResult) => void) | undefined },
  ): Promise<PiToolResult> {
    let token = 0;
    const meta = (id: number): object => {
      token = id;
      if (onUpdate) this.#progress.set(id, onUpdate);
      return { progressToken: id, [CALL_ID_META]: callID };
    };
    try {
      const result = await process.request("tools/call", params, { ...(signal ? { signal } : {}), meta });
      const content = toPiContent(result.content);
      if (result.isError === true) throw new Error(textIn(content) || "The tool failed without a message.");
      return { content, details: result.structuredContent ?? {} };
    } finally {
      this.#progress.delete(token);
    }
  }

  #report({ progressToken, progress, total, message }: Readonly<Record<string, unknown>>): void {
    const text = typeof message === "string" ? message : `${progress}${total === undefined ? "" : ` of ${total}`}`;
    this.#progress.get(Number(progressToken))?.({ content: [{ type: "text", text }], details: {} });
  }

  #warn(text: string): void {
    if (this.#context?.hasUI) this.#context.ui.notify(text, "warning");
    else globalThis.process.stderr.write(`${text}\n`);
  }
}

/** Follows the pages of a long list. */
async function listTools(process: ServerConnection): Promise<ListedMcpTool[]> {
  const tools: ListedMcpTool[] = [];
  let cursor: unknown;
  do {
    const page = await process.request("tools/list", cursor === undefined ? {} : { cursor });
    tools.push(...((page.tools ?? []) as ListedMcpTool[]));
    cursor = page.nextCursor;
  } while (typeof cursor === "string");
  return tools;
}

/** Names that pi or oh-my-pi read as the name of a tool of their own, in every spelling. */
const RESERVED = new Set(["find", "search", "read", "write", "edit", "bash", "grep", "glob", "ls"]);

/**
 * The name of a tool in pi. A tool of pi or of another extension keeps its name, and ours gets a prefix. Undefined if pi has
 * the tool already, since it loads the files in its own folders itself.
 */
function nameFor(
  { name, description = "" }: ListedMcpTool,
  server: string,
  others: ReadonlyMap<string, string>,
): string | undefined {
  const other = others.get(name);
  if (other !== undefined && other !== "" && description.startsWith(other)) return undefined;
  return other === undefined && !RESERVED.has(name.toLowerCase()) ? name : `${server}_${name}`;
}
