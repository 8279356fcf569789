import { randomUUID } from "node:crypto";
import { unavailable } from "../pi/stand-in.ts";

/** The argument of `joinSession`. No field is checked yet. */
export type JoinConfig = Readonly<Record<string, unknown>>;

/** What the session of an extension can do in Toolwright. Attached once the file has been imported. */
export interface SessionPort {
  readonly sessionId: string;
  log(level: "info" | "warn" | "error", message: string): void;
  /** Has an effect only if an agent is attached. */
  send(content: unknown): void;
  abort(): void;
}

/** An event of Copilot. */
interface CopilotEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Listener = (event: CopilotEvent) => unknown;

/** The result of one call of `joinSession`. */
export class JoinedSession {
  readonly config: JoinConfig;
  /** The object that the extension gets. */
  readonly session: object;
  tools: readonly unknown[];
  /** Called after the extension has registered other tools. */
  onToolsChanged: () => void = () => {};
  readonly #listeners = new Set<{ readonly type?: string; readonly listener: Listener }>();
  #port: SessionPort | undefined;
  readonly #early: ((port: SessionPort) => void)[] = [];

  constructor(config: JoinConfig) {
    this.config = config;
    this.tools = Array.isArray(config.tools) ? config.tools : [];
    this.session = this.#createSession();
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  attach(port: SessionPort): void {
    this.#port = port;
    for (const action of this.#early.splice(0)) action(port);
  }

  /** Errors of listeners are logged. */
  emit(type: string, data: CopilotEvent["data"]): void {
    for (const { type: wanted, listener } of this.#listeners) {
      if (wanted !== undefined && wanted !== type) continue;
      Promise.resolve()
        .then(() => listener({ type, data }))
        .catch((error: unknown) => this.#port?.log("error", `A listener of "${type}" failed: ${error}`));
    }
  }

  #withPort(action: (port: SessionPort) => void): void {
    if (this.#port) action(this.#port);
    else this.#early.push(action);
  }

  /** Other members need Copilot CLI: they can be read, and fail when they are called. */
  #createSession(): object {
    const joined = this;
    const members = {
      get sessionId(): string {
        return joined.#port?.sessionId ?? "";
      },
      workspacePath: undefined,
      capabilities: {},
      openCanvases: [],
      on: (first: string | Listener, second?: Listener) => joined.#listen(first, second),
      log: async (message: unknown, options: { level?: string } = {}) =>
        joined.#withPort((port) => port.log(LEVELS.get(options.level ?? "") ?? "info", String(message))),
      send: async (options: string | { prompt?: unknown }) => {
        joined.#withPort((port) => port.send(typeof options === "string" ? options : options.prompt));
        return randomUUID();
      },
      abort: async () => joined.#withPort((port) => port.abort()),
      registerTools: (tools: unknown) => {
        joined.tools = Array.isArray(tools) ? tools : [];
        joined.onToolsChanged();
      },
      getEvents: async () => [],
      getMessages: async () => [],
      setModel: async () => {},
      disconnect: async () => {},
      destroy: async () => {},
      [Symbol.asyncDispose]: async () => {},
    };
    return new Proxy(members, {
      get: (target, key) =>
        key in target || typeof key === "symbol" || key === "then"
          ? Reflect.get(target, key)
          : unavailable(`session.${key}`),
    });
  }

  #listen(first: string | Listener, second?: Listener): () => void {
    const entry =
      typeof first === "function" ? { listener: first } : { type: first, listener: second ?? ((): void => {}) };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }
}

const LEVELS: ReadonlyMap<string, "warn" | "error"> = new Map([
  ["warning", "warn"],
  ["error", "error"],
]);

const KEY = Symbol.for("toolwright.copilot-sessions");

/**
 * The sessions that a file has joined. One list for the whole process: this module may be loaded twice, by the host and by
 * a tool file.
 */
export function sessionsOf(importer: string): JoinedSession[] {
  const shared = globalThis as { [KEY]?: Map<string, JoinedSession[]> };
  shared[KEY] ??= new Map();
  const known = shared[KEY].get(importer) ?? [];
  shared[KEY].set(importer, known);
  return known;
}
