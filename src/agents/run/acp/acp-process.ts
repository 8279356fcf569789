import { Readable, Writable } from "node:stream";
import { AgentError } from "../../../core/agent-error.ts";
import { VERSION } from "../../../core/version.ts";
import { type GuardedProgram, startGuarded } from "../../../platform/processes/start-guarded.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import { within } from "../../../platform/waiting/within.ts";
import type { Elicited } from "./acp-elicitation.ts";
import type { AcpConnection, AcpSdk, InitializeResult, PermissionParams, SessionUpdate } from "./acp-sdk.ts";

/** "Invalid params" of JSON-RPC: agents show its message, and give it to their model. */
const INVALID_PARAMS = -32602;
/** How long the program may take until it answers the first request. */
const START_MS = 60_000;

/** What the agent sends. */
export interface AcpListener {
  update(update: SessionUpdate): void;
  /** The id of the option that is chosen; undefined if the question is withdrawn. Rejects if the question cannot be read. */
  permission(params: PermissionParams): Promise<string | undefined>;
  /** Asks the person. The signal fires when the agent no longer needs the answer. */
  elicit(params: unknown, withdrawn: AbortSignal): Promise<Elicited>;
  /** What the person was to do at an address is done, so that its question needs no answer. */
  elicitationDone(elicitationID: unknown): void;
}

/** A running program that speaks ACP on its standard streams. It runs one session. */
export class AcpProcess {
  readonly initialized: InitializeResult;
  readonly #name: string;
  readonly #program: GuardedProgram;
  readonly #connection: AcpConnection;

  private constructor(name: string, program: GuardedProgram, connection: AcpConnection, initialized: InitializeResult) {
    this.#name = name;
    this.#program = program;
    this.#connection = connection;
    this.initialized = initialized;
  }

  static async start(
    sdk: AcpSdk,
    agent: {
      readonly name: string;
      readonly command: readonly string[];
      readonly cwd: string;
      readonly env: NodeJS.ProcessEnv;
    },
    listener: AcpListener,
    stopped: AbortSignal,
  ): Promise<AcpProcess> {
    stopped.throwIfAborted();
    const { name, command, cwd, env } = agent;
    const program = startGuarded(command, { cwd, env });
    const stop = (): void => void program.end();
    stopped.addEventListener("abort", stop);
    const { stdin, stdout } = program.child;
    if (!stdin || !stdout) throw new AgentError("not_started", `${command.join(" ")} ${await program.exited}.`);
    const stream = sdk.ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>);
    const connection = clientOf(sdk, listener).connect(stream);
    try {
      const initialized = await requestOf(name, program, connection)<InitializeResult>(
        "initialize",
        {
          protocolVersion: 1,
          clientInfo: { name: "toolwright", version: VERSION },
          clientCapabilities: {
            fs: { readTextFile: false, writeTextFile: false },
            terminal: false,
            elicitation: { form: {}, url: {} },
            // Otherwise Codex sends its own notices as texts of the model.
            session: { notices: {}, compaction: {} },
          },
        },
        START_MS,
      );
      return new AcpProcess(name, program, connection, initialized);
    } catch (error) {
      await program.end();
      connection.close();
      if (AgentError.is(error)) throw error;
      throw new AgentError("not_started", `${name} does not speak the Agent Client Protocol: ${errorText(error)}`, {
        cause: error,
      });
    } finally {
      stopped.removeEventListener("abort", stop);
    }
  }

  /** Rejects with the agent's error, or with an `AgentError` if the program ends, or takes too long. */
  request<T>(method: string, params: unknown, ms?: number): Promise<T> {
    return requestOf(this.#name, this.#program, this.#connection)<T>(method, params, ms);
  }

  async notify(method: string, params: unknown): Promise<void> {
    await this.#connection.agent.notify(method, params);
  }

  async end(): Promise<void> {
    await this.#program.end();
    this.#connection.close();
  }
}

/** Our side of the protocol. */
function clientOf(sdk: AcpSdk, listener: AcpListener): ReturnType<AcpSdk["client"]> {
  return sdk
    .client({ name: "toolwright" })
    .onNotification<{ update: SessionUpdate }>(
      "session/update",
      // The SDK would write about an update that cannot be read to the terminal.
      ({ params }) => tryOrUndefined(() => listener.update(params.update)),
    )
    .onRequest<PermissionParams>("session/request_permission", async ({ params }) => {
      const optionId = await listener.permission(params).catch(() => undefined);
      return { outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
    })
    .onRequest("elicitation/create", async ({ params, signal }) => {
      const answer = await listener.elicit(params, signal);
      if ("refused" in answer) throw new sdk.RequestError(INVALID_PARAMS, answer.refused);
      return answer;
    })
    .onNotification<{ elicitationId: unknown }>("elicitation/complete", ({ params }) =>
      listener.elicitationDone(params.elicitationId),
    )
    .onRequest("*", ({ method }) => {
      throw sdk.RequestError.methodNotFound(method);
    })
    .onNotification("*", () => {});
}

function requestOf(name: string, program: GuardedProgram, { agent }: AcpConnection) {
  return async <T>(method: string, params: unknown, ms?: number): Promise<T> => {
    const ended = program.exited.then((how) => {
      throw hasEnded(name, program, how);
    });
    try {
      const answer = Promise.race([agent.request(method, params) as Promise<T>, ended]);
      return await (ms === undefined ? answer : within(ms, answer, () => refuseLate(name, method, ms)));
    } catch (error) {
      // The connection may notice the end before the process is reaped.
      if (isConnectionError(error)) await within(1_000, ended);
      throw error;
    }
  };
}

/** An error without a code is one of the connection, not of the agent. */
function isConnectionError(error: unknown): boolean {
  return !AgentError.is(error) && (error as { code?: unknown }).code === undefined;
}

function hasEnded(name: string, { lastErrors }: GuardedProgram, how: string): AgentError {
  const last = lastErrors === "" ? "" : ` Its last output: ${lastErrors}`;
  return new AgentError("agent_failed", `The program of ${name} ${how}.${last}`);
}

function refuseLate(name: string, method: string, ms: number): never {
  throw new AgentError(
    "not_started",
    `${name} has not answered "${method}" for ${ms / 1_000} s. Try to start it in a terminal, and see what it waits for.`,
  );
}

/** The message of an error of the agent, with its details. */
export function errorText(error: unknown): string {
  const { message, data } = (error ?? {}) as { message?: unknown; data?: unknown };
  const details = typeof data === "string" ? data : ((data ?? {}) as { details?: unknown; message?: unknown });
  const more = typeof details === "string" ? details : (details.details ?? details.message);
  return [message, more].filter((each) => typeof each === "string" && each !== "").join(": ") || String(error);
}
