import { AsyncLocalStorage } from "node:async_hooks";
import { Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ExitWhileReading } from "../../protocol/source-problem.ts";
import { StderrTail } from "../mcp/stderr-tail.ts";
import { VirtualStdin, VirtualStdout } from "./virtual-stdio.ts";

/** Where code of a file runs: in its import, or in a message to its server, which is a call for example. */
interface Inside {
  readonly scope: ImportScope;
  readonly isMessage: boolean;
}

const scopes = new AsyncLocalStorage<Inside>();

/** How often to look whether a file has started its server. */
const POLL_MS = 10;

/**
 * The world of a file that starts an MCP server when it is imported. Code that runs in it, also after an await, gets streams of
 * its own as `process.stdin` and `process.stdout`, which a client in this process reads and writes. It gets the arguments of
 * a program that runs the file, and cannot end this process. While it is imported, it opens no port.
 */
export class ImportScope {
  readonly stdin: VirtualStdin = new VirtualStdin();
  readonly stdout: VirtualStdout = new VirtualStdout();
  readonly stderr: StderrTail = new StderrTail(() => {});
  /** The servers that the file wanted to open a port for, with that port. */
  readonly listening: { readonly server: Server; readonly port: number }[] = [];
  /** Whether the text of the file says that it starts a server. */
  readonly mayStart: boolean;
  readonly #argv: readonly string[];
  #exit: ExitWhileReading | undefined;
  #isRead = false;

  constructor(file: string, mayStart = true) {
    this.mayStart = mayStart;
    this.#argv = [process.execPath, file];
    replaceGlobals();
  }

  run<T>(work: () => T): T {
    return scopes.run({ scope: this, isMessage: false }, work);
  }

  /** Runs the work of the server for a message to it. */
  runMessage<T>(work: () => T): T {
    return scopes.run({ scope: this, isMessage: true }, work);
  }

  /** Throws if the file has called `process.exit()`. */
  throwIfExited(): void {
    if (this.#exit) throw this.#exit;
  }

  /** Whether the file reads its stdin or has opened a port, and so has started a server. */
  get hasStarted(): boolean {
    return this.stdin.isRead || this.listening.length > 0;
  }

  /** Resolves when the file has started a server or has called `process.exit()`, at the latest after this time. */
  async started(limitMs: number): Promise<void> {
    for (let waited = 0; waited < limitMs && !this.hasStarted && !this.#exit; waited += POLL_MS) await sleep(POLL_MS);
  }

  /** From now on `process.exit()` has no effect in timers and events: files call it when their client has gone. */
  markRead(): void {
    this.#isRead = true;
  }

  get argv(): string[] {
    return [...this.#argv];
  }

  /** Throws, because no code after `process.exit()` may run. */
  exit(code: unknown, isMessage: boolean): void {
    if (isMessage) throw new Error(`The tool called process.exit(${code ?? ""}).`);
    if (this.#isRead) return;
    this.#exit ??= new ExitWhileReading(code, this.stderr.text);
    throw this.#exit;
  }

  /** Reports to the server that it listens. */
  listen(server: Server, args: readonly unknown[]): Server {
    const port = portOf(args);
    this.listening.push({ server, port });
    const callback = args.find((each) => typeof each === "function");
    if (callback) server.once("listening", callback as () => void);
    server.address = () => ({ address: "127.0.0.1", family: "IPv4", port });
    process.nextTick(() => server.emit("listening"));
    return server;
  }
}

/** The port of the arguments of `listen()`. Zero means any port. */
function portOf([first]: readonly unknown[]): number {
  const port = Number(typeof first === "object" && first !== null && "port" in first ? first.port : first);
  return Number.isInteger(port) && port > 0 ? port : 3000;
}

let isReplaced = false;

/** Replaces members of `process` by ones that differ in an import scope only. */
function replaceGlobals(): void {
  if (isReplaced) return;
  isReplaced = true;
  // The console takes its streams on first use, which may be in a scope.
  void Reflect.get(console, "_stdout");
  void Reflect.get(console, "_stderr");
  replaceGetter("stdin", (scope) => scope.stdin);
  replaceGetter("stdout", (scope) => scope.stdout);
  replaceGetter("argv", (scope) => scope.argv);
  const exit = process.exit.bind(process);
  process.exit = ((code?: number) => {
    const inside = scopes.getStore();
    return inside ? inside.scope.exit(code, inside.isMessage) : exit(code);
  }) as typeof process.exit;
  const listen = Server.prototype.listen as (...args: unknown[]) => Server;
  Server.prototype.listen = function (this: Server, ...args: unknown[]): Server {
    const inside = scopes.getStore();
    return inside && !inside.isMessage ? inside.scope.listen(this, args) : listen.apply(this, args);
  };
  keepStderr();
}

/** Keeps what code in a scope writes to stderr, to explain a failure. */
function keepStderr(): void {
  const { stderr } = process;
  const write = stderr.write.bind(stderr) as (...args: unknown[]) => boolean;
  stderr.write = ((chunk: string | Uint8Array, ...more: unknown[]) => {
    scopes.getStore()?.scope.stderr.add(Buffer.from(chunk as string));
    return write(chunk, ...more);
  }) as typeof stderr.write;
}

function replaceGetter(name: "stdin" | "stdout" | "argv", inScope: (scope: ImportScope) => unknown): void {
  const former = Object.getOwnPropertyDescriptor(process, name);
  let assigned: unknown = former?.value;
  Object.defineProperty(process, name, {
    configurable: true,
    enumerable: true,
    get: () => {
      const inside = scopes.getStore();
      return inside ? inScope(inside.scope) : (assigned ?? former?.get?.call(process));
    },
    set: (value: unknown) => {
      if (!scopes.getStore()) assigned = value;
    },
  });
}
