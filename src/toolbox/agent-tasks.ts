import type { FollowedEvent } from "../core/session-log.ts";
import { defined } from "../platform/values/defined.ts";
import type { TaskOptions } from "../sessions/agent-attachments.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { addLimits, filtersOf, type ToolFilter } from "../sessions/sub-agent-limits.ts";
import type { Prompt, Turn } from "../sessions/turn.ts";
import type { Mode } from "../settings/permissions/rule.ts";
import type { Settings } from "../settings/settings.ts";
import type { AgentTask, SubAgents } from "./sub-agents.ts";
import { taskKinds } from "./task-kinds.ts";

interface AgentTasksParts {
  readonly settings: () => Settings;
  readonly sessions: Sessions;
  /** The mode of the calls in a session; undefined if it is the user's. */
  readonly modeOf: (sessionID: string) => Mode | undefined;
  readonly run: (sessionID: string, prompt: Prompt, options: TaskOptions) => Turn;
  /** Closes the agent's session. A continued task resumes it. */
  readonly detach: (sessionID: string) => Promise<void>;
}

/** How many tasks of one session may run at a time. */
const MAX_TASKS = 8;
/** The number of calls that the progress of a task lists. */
const MAX_SHOWN = 20;

/** Runs the tasks of the tool `task` with the agents of the settings. */
export class AgentTasks implements SubAgents {
  readonly #parts: AgentTasksParts;
  /** The number of running tasks, by the session that delegated them. */
  readonly #running = new Map<string, number>();

  constructor(parts: AgentTasksParts) {
    this.#parts = parts;
  }

  get kinds(): Readonly<Record<string, string>> {
    return taskKinds(this.#parts.settings());
  }

  /** Rejects if the task cannot be run. The delegating model reads the message. */
  async run(task: AgentTask): ReturnType<SubAgents["run"]> {
    const { sessionID } = task.parent;
    const running = this.#running.get(sessionID) ?? 0;
    if (running >= MAX_TASKS) {
      throw new Error(`${running} tasks of this session are running, the maximum. Wait until one of them has ended.`);
    }
    this.#running.set(sessionID, running + 1);
    try {
      return await this.#perform(task);
    } finally {
      // Many tasks would otherwise leave many processes behind.
      await this.#parts.detach(task.sessionID);
      this.#running.set(sessionID, (this.#running.get(sessionID) ?? 1) - 1);
      if (this.#running.get(sessionID) === 0) this.#running.delete(sessionID);
    }
  }

  async #perform(task: AgentTask): ReturnType<SubAgents["run"]> {
    const { prompt, agent: kind, sessionID, parent, directory, signal, description } = task;
    const { subagents, agents } = this.#parts.settings();
    const set = subagents[kind];
    const { agent, model, prompt: systemPrompt, tools } = set ?? (await this.#agentOf(parent.sessionID));
    const { attached, answerable, limits } = this.#parts.sessions.get(parent.sessionID);
    // The same agent has no more tools than the delegating one.
    const shown = set ? undefined : attached?.shown;
    const above = set ? [] : filtersOf(limits, subagents);
    this.#limit(sessionID, [shown ?? defined({ tools }), ...above]);
    const turn = this.#parts.run(sessionID, prompt, {
      name: kind,
      parent: { sessionID: parent.sessionID, callID: parent.callID },
      title: description,
      directory,
      signal,
      answerable,
      // Stored with the task's session: a person may continue it when the delegating session is no longer in memory.
      ...defined({ mode: this.#parts.modeOf(parent.sessionID), agent, model, systemPrompt, tools }),
      ...shown,
    });
    const progress = new TaskProgress(task);
    for await (const event of turn) {
      progress.add(event);
      if (progress.tokens <= agents.maxTaskTokens) continue;
      turn.abort();
    }
    const result = await turn.result;
    if (progress.tokens > agents.maxTaskTokens) throw new Error(tooExpensive(progress.tokens, agents.maxTaskTokens));
    if (!result.ok) throw new Error(result.error.message);
    if (result.aborted) throw new Error(STOPPED);
    return { output: result.text };
  }

  /** The session keeps the choice of tools when someone else continues it. */
  #limit(sessionID: string, filters: readonly ToolFilter[]): void {
    const local = this.#parts.sessions.get(sessionID);
    const tools = filters.filter((filter) => Object.keys(filter).length > 0);
    local.taskLimits = addLimits(local.taskLimits, { agents: [], tools, denials: [] });
  }

  async #agentOf(sessionID: string): Promise<Partial<Settings["subagents"][string]>> {
    const info = await (await this.#parts.sessions.store()).get(sessionID);
    const { agent, model } = info ?? {};
    return defined({ agent, model });
  }
}

const STOPPED = "The task was stopped before it was done. Ask the user how to go on.";

function tooExpensive(used: number, limit: number): string {
  return `The task was stopped: it has used ${used} tokens, and the limit is ${limit} ("agents": { "maxTaskTokens" } in the settings). Delegate a smaller task.`;
}

/** Reports the calls of a task as progress of the delegating call, and counts its tokens. */
class TaskProgress {
  tokens = 0;
  readonly #task: AgentTask;
  readonly #calls = new Map<string, { tool: string; status: "running" | "done" | "failed" }>();

  constructor(task: AgentTask) {
    this.#task = task;
  }

  add(event: FollowedEvent): void {
    if (event.type === "usage") this.tokens += (event.inputTokens ?? 0) + (event.outputTokens ?? 0);
    else if (event.type === "tool.start") this.#set(event, "running");
    else if (event.type === "tool.complete") this.#set(event, "done");
    else if (event.type === "tool.failed") this.#set(event, "failed");
  }

  #set(
    { callID, tool }: { readonly callID: string; readonly tool: string },
    status: "running" | "done" | "failed",
  ): void {
    this.#calls.set(callID, { tool, status });
    const { sessionID, agent, description } = this.#task;
    const calls = [...this.#calls.values()].slice(-MAX_SHOWN);
    this.#task.progress({ title: `${description}: ${tool}`, metadata: { agent, session_id: sessionID, calls } });
  }
}
