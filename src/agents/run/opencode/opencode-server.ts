import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AgentError } from "../../../core/agent-error.ts";
import type { AgentContext } from "../../../core/coding-agent.ts";
import { guardFolder } from "../../../platform/processes/process-guard.ts";
import { type GuardedProgram, startGuarded } from "../../../platform/processes/start-guarded.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import { unlessAborted } from "../../../platform/waiting/until-aborted.ts";
import { within } from "../../../platform/waiting/within.ts";
import { type AgentProgram, findCommand } from "../agent-packages.ts";
import { type ServerOptions, serverEnv } from "./opencode-options.ts";
import type { OpencodeClient, OpencodeEvent, OpencodeSdk } from "./opencode-sdk.ts";

/** What to install. */
export const OPENCODE_INSTALL = "opencode-ai@1 @opencode-ai/sdk@1";
export const PROGRAM: AgentProgram = { name: "opencode", program: "opencode", install: OPENCODE_INSTALL };

const START_MS = 60_000;
/** How long the server may take to send the first event on a connection. After that, another one is opened. */
const CONNECT_MS = 10_000;
/** Between two attempts to read events. */
const RETRY_MS = 200;
/** How long the server may take to remove the entry of a session. */
const LEAVE_MS = 5_000;

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
  /** The sessions that own entries for MCP servers. The name of an entry is that of our session. */
  readonly #entries = new Map<string, { readonly owner: object; readonly leaving?: Promise<unknown> }>();
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

  /** Rejects with "not_installed" or "not_started", or when the signal fires. */
  static async start(
    sdk: OpencodeSdk,
    context: AgentContext,
    options: ServerOptions,
    givenUp: AbortSignal,
  ): Promise<OpencodeServer> {
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
      const address = Promise.race([addressOf(program), server.#failed()]);
      server.#url = await unlessAborted(givenUp, within(START_MS, address, refuseLate));
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

  /** Makes a session the owner of an entry for an MCP server. Resolves when the owner before has removed it. */
  async enter(entry: string, owner: object): Promise<void> {
    const { leaving } = this.#entries.get(entry) ?? {};
    this.#entries.set(entry, { owner });
    await leaving;
  }

  /** Removes an entry, unless another session owns it: one that was given up may be closed late. Never rejects. */
  async leave(entry: string, owner: object, remove: () => Promise<unknown>): Promise<void> {
    if (this.#entries.get(entry)?.owner !== owner) return;
    const leaving = within(
      LEAVE_MS,
      remove().then(
        () => {},
        () => {},
      ),
    );
    this.#entries.set(entry, { owner, leaving });
    await leaving;
    if (this.#entries.get(entry)?.leaving === leaving) this.#entries.delete(entry);
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
    listeners.add(({ type }) => type === "server.connected" && connected.resolve());
    this.#read(client, (event) => {
      // A session that cannot read an event must not end the stream of the others.
      for (const listener of [...listeners]) tryOrUndefined(() => listener(event));
    });
    return { client, listeners, connected: connected.promise };
  }

  /** Reads events until the server is stopped. */
  async #read(client: OpencodeClient, emit: Listener): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const attempt = new AbortController();
      const timer = setTimeout(() => attempt.abort(), CONNECT_MS);
      try {
        const { stream } = await client.event.subscribe(
          {},
          { signal: AbortSignal.any([signal, attempt.signal]), sseMaxRetryAttempts: 1, sseSleepFn: async () => {} },
        );
        for await (const event of stream) {
          clearTimeout(timer);
          emit(event);
        }
      } catch {
        // The connection is closed.
      }
      clearTimeout(timer);
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

function refuseLate(): never {
  throw new AgentError(
    "not_started",
    `The server of OpenCode was not ready after ${START_MS / 1_000} s. Check that \`opencode serve\` starts in a terminal, and try again.`,
  );
}
