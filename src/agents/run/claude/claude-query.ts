import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentError } from "../../../core/agent-error.ts";
import { messageOf } from "../../../core/error.ts";
import type { Content } from "../../../core/result.ts";
import { guardFolder } from "../../../platform/processes/process-guard.ts";
import { type GuardedProgram, startGuarded } from "../../../platform/processes/start-guarded.ts";
import { within } from "../../../platform/waiting/within.ts";
import { EventQueue } from "../event-queue.ts";
import { toUserInput } from "./claude-prompt.ts";
import type { ClaudeSdk, Query, QueryOptions, SdkMessage, UserInput } from "./claude-sdk.ts";

/** How long an idle process may take to write its session and exit. */
const EXIT_MS = 5_000;

/** A running Claude Code: one process that runs the turns of one session, one after the other. */
export class ClaudeQuery {
  readonly #input = new EventQueue<UserInput>();
  readonly #query: Query;
  readonly #temporary: TemporaryFolder;
  #program: GuardedProgram | undefined;
  #turn: EventQueue<SdkMessage> | undefined;
  #isOpen = true;

  /** `program` replaces the program of the SDK. Throws an `AgentError` if the SDK has none. */
  constructor(
    sdk: ClaudeSdk,
    options: Omit<QueryOptions, "spawnClaudeCodeProcess" | "pathToClaudeCodeExecutable">,
    program: readonly string[] | undefined,
  ) {
    this.#temporary = temporaryFolder(options.env);
    try {
      this.#query = sdk.query({
        prompt: this.#input,
        options: {
          ...options,
          env: { ...options.env, CLAUDE_CODE_TMPDIR: this.#temporary.path },
          ...(program?.[0] === undefined ? {} : { pathToClaudeCodeExecutable: program[0] }),
          spawnClaudeCodeProcess: ({ command, args, cwd = options.cwd, env }) => {
            this.#program = startGuarded([...(program ?? [command]), ...args], { cwd, env });
            return this.#program.child;
          },
        },
      });
    } catch (error) {
      void this.#temporary.remove();
      throw new AgentError("not_started", notStarted(messageOf(error)), { cause: error });
    }
    void this.#pass();
  }

  /** Whether its process runs. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Runs a turn. The messages end with the result. The iteration throws if the process ends before. */
  ask(prompt: readonly Content[]): AsyncIterable<SdkMessage> {
    const turn = new EventQueue<SdkMessage>();
    this.#turn = turn;
    if (this.#isOpen) this.#input.push(toUserInput(prompt));
    else void this.#failure().then((error) => turn.end(error));
    return turn;
  }

  /** Never rejects: the turn ends if the process is gone. */
  async interrupt(): Promise<void> {
    await this.#query.interrupt().catch(() => {});
  }

  /** Ends the process. Resolves to whether it has stored its session: if it was idle, and exits by itself. Never rejects. */
  async close(): Promise<boolean> {
    const isIdle = this.#isOpen && this.#turn === undefined;
    this.#isOpen = false;
    this.#turn?.end();
    this.#input.end();
    this.#query.close();
    const exited = this.#program && (await within(isIdle ? EXIT_MS : 0, this.#program.exited));
    await this.#end();
    return isIdle && exited !== undefined;
  }

  /** Passes the messages on to the turn. Messages between turns are dropped. */
  async #pass(): Promise<void> {
    let error: unknown;
    try {
      for await (const message of this.#query) {
        this.#turn?.push(message);
        if (message.type === "result") this.#endTurn();
      }
    } catch (thrown) {
      error = thrown;
    }
    this.#isOpen = false;
    const failure = this.#turn && (await this.#failure(error));
    this.#endTurn(failure);
    await this.#end();
  }

  async #end(): Promise<void> {
    await this.#program?.end();
    await this.#temporary.remove();
  }

  #endTurn(error?: AgentError): void {
    this.#turn?.end(error);
    this.#turn = undefined;
  }

  async #failure(error?: unknown): Promise<AgentError> {
    const how = this.#program ? await this.#program.exited : messageOf(error);
    const said = this.#program?.lastErrors ?? "";
    const output = said === "" ? "." : `. The end of its output:\n${said.split("\n").slice(-5).join("\n")}`;
    return new AgentError("agent_failed", `The program of Claude Code ${how}${output}`, { cause: error });
  }
}

function notStarted(why: string): string {
  return `Claude Code cannot be started: ${why} Install the SDK again, with its optional packages, or name the program in your settings: "agents": { "programs": { "claude": ["/path/claude"] } }`;
}

interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Claude Code leaves files in its temporary folder. */
function temporaryFolder({ CLAUDE_CODE_TMPDIR, TMPDIR }: QueryOptions["env"]): TemporaryFolder {
  const path = mkdtempSync(join(CLAUDE_CODE_TMPDIR ?? TMPDIR ?? tmpdir(), "toolwright-"));
  const release = guardFolder(path);
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
      release();
    },
  };
}
