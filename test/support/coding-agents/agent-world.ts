import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { knownAgents } from "../../../src/agents/run/known-agents.ts";
import type { Content } from "../../../src/core/result.ts";
import type { FollowedEvent, StoredEvent } from "../../../src/core/session-log.ts";
import { createToolbox } from "../../../src/index.ts";
import type { SendOptions, Turn, TurnResult } from "../../../src/sessions/turn.ts";
import type { Toolbox } from "../../../src/toolbox/toolbox.ts";
import { packagesOf } from "../agents/installed-agent.ts";
import { makeSandbox, type Sandbox, writeTool } from "../fixture.ts";
import { startedWith } from "../processes.ts";
import type { AgentRow } from "./agent-row.ts";
import { checkTurn } from "./check-turn.ts";
import { type Asked, type PromptedModel, type Step, startPromptedModel } from "./prompted-model.ts";
import { type Heard, withRegisteredTool } from "./registered-tool.ts";
import { SUITE_FILES } from "./suite-tools.ts";

/** How long a turn may take, on a loaded machine. */
const TURN_MS = 60_000;
/** How long processes and files may remain after their owner has ended. */
const GRACE_MS = 15_000;

/** A turn that is over. */
export interface Seen {
  readonly sessionID: string;
  /** All events, in order; the stored ones among them. */
  readonly events: readonly FollowedEvent[];
  readonly stored: readonly StoredEvent[];
  readonly result: TurnResult;
  /** The requests to the model. */
  readonly asked: readonly Asked[];
  /** The results of calls in the last request. */
  readonly answers: Asked["answers"];
}

export interface TurnOptions {
  /** By default a session that several cases share. */
  readonly sessionID?: string;
  readonly answerable?: boolean;
  /** What is sent instead of the prompt. Its text is the prompt. */
  readonly content?: readonly Content[];
  /** Called for each event. */
  readonly during?: (event: FollowedEvent, turn: Turn) => unknown;
  /** Runs beside the turn. The turn is aborted if it fails. */
  readonly meanwhile?: (turn: Turn) => Promise<unknown>;
}

/** A project with the tools of the suite, a scripted model, and a toolbox that is opened when it is first used. */
export class AgentWorld {
  readonly row: AgentRow;
  readonly at: Sandbox;
  readonly model: PromptedModel;
  readonly env: Readonly<Record<string, string>>;
  readonly tmp: string;
  /** What was heard from the agent and its tool in code. */
  readonly heard: Heard = { contexts: [], starts: [], ends: [] };
  readonly #tmpBefore: string | undefined;
  readonly #knownLeaks = new Set<string>();
  #toolbox: Promise<Toolbox> | undefined;
  #servers = 0;
  #talks = 1;
  #settings: object = {};

  private constructor(row: AgentRow, model: PromptedModel, sandbox: Sandbox) {
    this.row = row;
    this.model = model;
    this.at = sandbox;
    this.tmp = join(sandbox.root, "tmp");
    mkdirSync(this.tmp);
    // Agents that are written in JavaScript run on the first `node` on PATH.
    const PATH = [dirname(process.execPath), sandbox.env.PATH].join(delimiter);
    this.env = { ...sandbox.env, PATH, TMPDIR: this.tmp, TERM: "dumb", ...row.env?.(model.origin, sandbox) };
    this.#servers = serversOfThisProcess();
    for (const [name, text] of Object.entries(SUITE_FILES)) writeTool(sandbox, name, text);
    this.settings({});
    row.prepare?.(sandbox, model.origin);
    // Temporary files of our own process are checked too.
    this.#tmpBefore = process.env.TMPDIR;
    process.env.TMPDIR = this.tmp;
  }

  static async create(row: AgentRow): Promise<AgentWorld> {
    return new AgentWorld(row, await startPromptedModel(row.wire), makeSandbox());
  }

  /** Merges these into the user's settings. A toolbox that is open may not notice. */
  settings(more: object): void {
    const { folder, programs } = this.row;
    this.#settings = { ...this.#settings, ...more };
    const modules = folder === undefined ? {} : { modules: dirname(packagesOf(folder)) };
    const agents = { ...modules, ...(programs ? { programs } : {}) };
    // Factory modules, and tools in code, cannot declare that they touch nothing.
    const permissions = ["streamed", "registered"].map((tool) => ({ tool, action: "allow" }));
    const { agents: moreAgents = {}, permissions: rules = [], ...rest } = this.#settings as Record<string, object>;
    const all = {
      // On a loaded machine, the first import of a file takes long.
      limits: { importMs: 30_000 },
      ...rest,
      agents: { ...agents, ...moreAgents },
      permissions: [...permissions, ...(rules as object[])],
    };
    const file = join(this.env.TOOLWRIGHT_HOME as string, "settings.json");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(all));
  }

  toolbox(): Promise<Toolbox> {
    if (!this.#toolbox) {
      this.#servers = serversOfThisProcess();
      this.#toolbox = createToolbox({
        cwd: this.at.project,
        env: this.env,
        trust: true,
        builtins: false,
        sessions: "disk",
        agents: withRegisteredTool(this.row.source?.agents ?? knownAgents, this.heard),
      });
    }
    return this.#toolbox;
  }

  /** The options that name the agent and its model. */
  get sendOptions(): SendOptions {
    const { name, model, baseUrl } = this.row;
    return {
      agent: name,
      ...(model === undefined ? {} : { model }),
      ...(baseUrl ? { baseUrl: baseUrl(this.model.origin) } : {}),
    };
  }

  /** The id of the session that cases share. */
  get talk(): string {
    return `talk-${this.#talks}`;
  }

  /** The cases from now on share another session. */
  leaveTalk(): void {
    this.#talks += 1;
  }

  /** Sends a prompt for which the model has these steps, waits for the end of the turn, and checks the log. */
  async turn(prompt: string, steps: readonly Step[], options: TurnOptions = {}): Promise<Seen> {
    const { sessionID = this.talk, answerable = false, content = prompt, during, meanwhile } = options;
    const toolbox = await this.toolbox();
    this.model.script(keyOf(prompt), steps);
    const deadline = AbortSignal.timeout(TURN_MS);
    const turn = toolbox.sessions.send(sessionID, content, { ...this.sendOptions, answerable, signal: deadline });
    const events: FollowedEvent[] = [];
    const follow = async (): Promise<void> => {
      for await (const event of turn) {
        events.push(event);
        await during?.(event, turn);
      }
    };
    const guard = async (work: Promise<unknown> | undefined): Promise<void> => {
      await work?.catch((error: unknown) => {
        turn.abort();
        throw error;
      });
    };
    const [result] = await Promise.all([turn.result, guard(follow()), guard(meanwhile?.(turn))]);
    if (deadline.aborted) throw new Error(`The turn did not end in ${TURN_MS} ms: ${describeEvents(events)}`);
    const stored = events.filter((event): event is StoredEvent => "position" in event);
    const info = await (await toolbox.sessions.store()).get(sessionID);
    const asked = this.model.asked(keyOf(prompt));
    const seen = { sessionID, events, stored, result, asked, answers: asked.at(-1)?.answers ?? [] };
    checkTurn(seen, { prompt, info });
    return seen;
  }

  /** Throws if a log has a gap, or anything in it is open. */
  async checkLogs(): Promise<void> {
    const store = await (await this.toolbox()).sessions.store();
    const { sessions } = await store.list({ limit: 100 });
    for (const { id, position, status, openCalls, openQuestions } of sessions) {
      const positions = (await store.read(id, 0, 10_000)).map((event) => event.position);
      const isComplete = positions.every((each, index) => each === index + 1) && positions.length === position;
      const isOpen = openCalls.length + openQuestions.length > 0 || !["idle", "error"].includes(status);
      if (!isComplete || isOpen) throw new Error(`The log of ${id} is not complete: ${status}, ${positions}`);
    }
  }

  /** A file of the project. */
  file(name: string): string {
    return join(this.at.project, name);
  }

  /** The content of a file of the project, once it exists. */
  async written(name: string): Promise<string> {
    const file = this.file(name);
    await until(() => existsSync(file) && readFileSync(file, "utf8") !== "", `${name} was not written`, {
      patience: TURN_MS,
    });
    return readFileSync(file, "utf8");
  }

  /** Removes what the agent has stored in its home folder. */
  forgetAgent(): void {
    const ours = this.env.TOOLWRIGHT_HOME;
    for (const name of readdirSync(this.at.home)) {
      const path = join(this.at.home, name);
      if (path !== ours) rmSync(path, { recursive: true, force: true });
    }
    this.row.prepare?.(this.at, this.model.origin);
  }

  /** The processes of the agent, as `pid command`. */
  agentProcesses(): string[] {
    const { processes } = this.row;
    return processes ? startedWith(this.at.home).filter((line) => processes.test(line)) : [];
  }

  /** Closes the toolbox. Throws if it leaves a process, a server or a temporary file. */
  async close(): Promise<void> {
    const toolbox = await this.#toolbox;
    this.#toolbox = undefined;
    if (!toolbox) return;
    await toolbox.close();
    await this.leavesNothing();
  }

  /** Throws if a process or a temporary file of the agent or of ours is left after a grace period. */
  async leavesNothing(): Promise<void> {
    await until(
      () => startedWith(this.at.home).length === 0,
      () => `Processes are left: ${startedWith(this.at.home).join("; ")}`,
      { patience: GRACE_MS },
    );
    try {
      await until(
        () => this.#temporaryFiles().length === 0,
        () => `Temporary files are left: ${this.#temporaryFiles().join(", ")}`,
        { patience: GRACE_MS },
      );
    } finally {
      // They fail one case only.
      for (const path of this.#temporaryFiles()) this.#knownLeaks.add(path);
    }
    await until(
      () => this.#toolbox !== undefined || serversOfThisProcess() <= this.#servers,
      "A server of this process still listens",
      { patience: GRACE_MS },
    );
  }

  /** Files, and folders of ours. An empty folder that an agent uses again is none. */
  #temporaryFiles(): string[] {
    const { leavesInTmp } = this.row;
    return readdirSync(this.tmp, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory() || entry.name.startsWith("toolwright"))
      .map(({ parentPath, name }) => relative(this.tmp, join(parentPath, name)))
      .filter((path) => !this.#knownLeaks.has(path) && !leavesInTmp?.names.test(path));
  }

  /** Closes everything, and removes the project. */
  async remove(): Promise<void> {
    try {
      await this.close();
    } finally {
      for (const line of startedWith(this.at.home)) kill(Number.parseInt(line, 10));
      await this.model.close();
      if (this.#tmpBefore === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = this.#tmpBefore;
      if (process.env.KEEP) console.log(this.at.root);
      else rmSync(this.at.root, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

/** The part of a prompt that identifies it in requests: agents may change line ends and characters that are not well-formed. */
export function keyOf(prompt: string): string {
  return prompt.split("\n", 1)[0] ?? "";
}

/** Resolves when the condition holds. Rejects after a while. */
export async function until(
  condition: () => boolean,
  message: string | (() => string),
  { patience = TURN_MS / 2, interval = 50 }: { readonly patience?: number; readonly interval?: number } = {},
): Promise<void> {
  const deadline = performance.now() + patience;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(typeof message === "string" ? message : message());
    await sleep(interval);
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already ended.
  }
}

/** Events in one line, for messages. */
export function describeEvents(events: readonly FollowedEvent[]): string {
  return events
    .map((event) => {
      if ("tool" in event) return `${event.type} ${event.tool}`;
      return "message" in event && typeof event.message === "string" ? `${event.type} (${event.message})` : event.type;
    })
    .join(", ");
}

function serversOfThisProcess(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "TCPServerWrap").length;
}
