import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AgentError } from "../../core/agent-error.ts";
import type { AgentContext } from "../../core/coding-agent.ts";
import { guardFolder } from "../../process/process-guard.ts";
import { type GuardedProgram, startGuarded } from "../../process/start-guarded.ts";
import { type AgentProgram, findCommand } from "../agent-packages.ts";
import { type ServerOptions, serverEnv } from "./opencode-options.ts";
import type { OpencodeClient, OpencodeEvent, OpencodeSdk } from "./opencode-sdk.ts";

/** What to install. */
export const INSTALL = "opencode-ai@1 @opencode-ai/sdk@1";
export const PROGRAM: AgentProgram = { name: "opencode", program: "opencode", install: INSTALL };

const START_MS = 60_000;
/** Between two attempts to read events. */
const RETRY_MS = 200;

type Listener = (event: OpencodeEvent) => void;

/** A client of the server for one directory, and the listeners to the events there. */
interface Place {
  readonly client: OpencodeClient;
  readonly listeners: Set<Listener>;
  /** Resolves when events are received. */
  readonly connected: Promise<void>;
}

/** A process of `opencode serve` on the loopback interface. Sessions of all directories share it. */
export class OpencodeServer {
  /** Resolves to a sentence when the process has ended. */
  readonly ended: Promise<string>;
  readonly #sdk: OpencodeSdk;
  readonly #program: GuardedProgram;
  readonly #password: string;
  readonly #places = new Map<string, Place>();
  readonly #stopped = new AbortController();
  #url = "";

  private constructor(sdk: OpencodeSdk, program: GuardedProgram, password: string) {
    this.#sdk = sdk;
    this.#program = program;
    this.#password = password;
    this.ended = program.exited.then((how) => {
      this.#stopped.abort();
      const { lastErrors } = program;
      return `The server of OpenCode ${how}.${lastErrors === "" ? "" : ` It wrote: ${lastErrors}`}`;
    });
  }

  /** Rejects with "not_installed" or "not_started". */
  static async start(sdk: OpencodeSdk, context: AgentContext, options: ServerOptions): Promise<OpencodeServer> {
    const command = findCommand(PROGRAM, context);
    // Other programs on this machine can reach the port.
    const password = crypto.randomUUID();
    const temporary = mkdtempSync(join(context.env.TMPDIR ?? tmpdir(), "toolwright-opencode-"));
    const release = guardFolder(temporary);
    const program = startGuarded([...command, "serve", "--hostname=127.0.0.1", "--port=0"], {
      cwd: context.directory,
      // It writes the libraries that it contains there, and does not remove them.
      env: { ...serverEnv(context, options, password), BUN_TMPDIR: temporary },
    });
    const server = new OpencodeServer(sdk, program, password);
    server.ended.then(() => {
      rmSync(temporary, { recursive: true, force: true });
      release();
    });
    try {
      server.#url = await Promise.race([addressOf(program), server.#failed(), tooLate()]);
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** The client for a directory. It is returned when its events are received. */
  async at(directory: string): Promise<{ readonly client: OpencodeClient; listen(listener: Listener): () => void }> {
    const place = this.#places.get(directory) ?? this.#open(directory);
    this.#places.set(directory, place);
    await Promise.race([place.connected, this.#failed()]);
    const { client, listeners } = place;
    return {
      client,
      listen: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
  }

  /** Never rejects. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#program.end();
  }

  #open(directory: string): Place {
    const client = this.#sdk.createOpencodeClient({
      baseUrl: this.#url,
      directory,
      headers: { authorization: `Basic ${btoa(`opencode:${this.#password}`)}` },
      throwOnError: true,
    });
    const listeners = new Set<Listener>();
    const connected = Promise.withResolvers<void>();
    this.#read(client, (event) => {
      if (event.type === "server.connected") connected.resolve();
      for (const listener of [...listeners]) listener(event);
    });
    return { client, listeners, connected: connected.promise };
  }

  /** Reads events until the server is stopped. */
  async #read(client: OpencodeClient, emit: Listener): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        const { stream } = await client.event.subscribe(
          {},
          { signal, sseMaxRetryAttempts: 1, sseSleepFn: async () => {} },
        );
        for await (const event of stream) emit(event);
      } catch {
        // The connection is closed.
      }
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }

  #failed(): Promise<never> {
    return this.ended.then((message) => Promise.reject(new AgentError("not_started", message)));
  }
}

/** The server writes its address when it is ready. */
function addressOf({ child }: GuardedProgram): Promise<string> {
  let output = "";
  return new Promise((resolve) => {
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      output = `${output}${text}`.slice(-4_096);
      const [, address] = /listening on (http:\/\/\S+)\s/.exec(output) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}

async function tooLate(): Promise<never> {
  await sleep(START_MS, undefined, { ref: false });
  throw new AgentError(
    "not_started",
    `The server of OpenCode was not ready after ${START_MS / 1_000} s. Check that \`opencode serve\` starts in a terminal, and try again.`,
  );
}
