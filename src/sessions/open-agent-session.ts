import { AgentError } from "../core/agent-error.ts";
import type { AgentSession, AgentSessionOptions, CodingAgent, SessionHistory } from "../core/coding-agent.ts";
import type { AgentLink, StoredEvent } from "../core/session-log.ts";
import type { SessionStore } from "../core/session-store.ts";
import { defined } from "../platform/values/defined.ts";
import type { AttachedAgent, LocalSession } from "./local-session.ts";
import { lastEvents, positionBefore, storedEvents } from "./stored-events.ts";
import { markdownOf } from "./transcript/export-session.ts";
import { undeliveredPrompts } from "./undelivered-prompts.ts";

/** The conversation before the prompt that is being sent. */
export interface EarlierConversation {
  readonly store: SessionStore;
  /** The position of its last event. */
  readonly before: number;
  readonly hasHistory: boolean;
}

/** The key under which the session of the agent is stored. */
const LINK = "session";
/** The maximum length of an earlier conversation that is given to an agent as text. The newest part is kept. */
const MAX_TRANSCRIPT = 100_000;

/**
 * Creates the agent's session, or resumes it. An agent that keeps conversations, but not this one, gets it as text: the session
 * is a branch, was run by another agent, or the agent has removed it.
 */
export async function openAgentSession(
  agent: CodingAgent,
  local: LocalSession,
  given: Omit<AgentSessionOptions, "history">,
  { store, before, hasHistory }: EarlierConversation,
): Promise<Pick<AttachedAgent, "session" | "preamble">> {
  const options = { ...given, history: historyOf(local, store) };
  if (!agent.keepsHistory) {
    const session = hasHistory ? agent.resumeSession(local.id, options) : agent.createSession(options);
    return { session: await session, preamble: undefined };
  }
  const link = local.state.agentValue(LINK) as AgentLink | undefined;
  const isOwn = link?.agent === agent.name && link.sessionID === local.id;
  const resumed = isOwn ? await resume(agent, link.id, options) : undefined;
  if (resumed) return { session: resumed, preamble: await repeated(store, local.id, before) };
  const session = await agent.createSession(options);
  return { session, preamble: hasHistory ? await transcriptOf(store, local.id, before) : undefined };
}

/** Stores which session of the agent runs ours, if that has changed. */
export async function storeLink(local: LocalSession, { agent, session, model }: AttachedAgent): Promise<void> {
  const stored = local.state.agentValue(LINK) as AgentLink | undefined;
  const named = defined({ model: model.id });
  const link: AgentLink = { agent: agent.name, id: session.id, sessionID: local.id, ...named };
  if (JSON.stringify(stored) === JSON.stringify(link)) return;
  await local.record({ type: "state.set", of: "agent", key: LINK, value: link });
}

/** The log of the session, as its agent reads it. */
function historyOf(local: LocalSession, store: SessionStore): SessionHistory {
  return {
    events: async function* (types, from) {
      const position = from === undefined ? 0 : await positionBefore(store, local.id, from);
      yield* storedEvents(store, local.id, types, position);
    },
    get: (key) => local.state.agentValue(key),
    set: async (key, value) => {
      await local.record({ type: "state.set", of: "agent", key, value });
    },
  };
}

/** The prompts that the agent may not have got before it was closed. */
async function repeated(store: SessionStore, sessionID: string, before: number): Promise<string | undefined> {
  const prompts = await undeliveredPrompts(store, sessionID, before);
  if (prompts.length === 0) return undefined;
  return `These messages were sent earlier, and may not have reached you:\n\n${prompts.join("\n\n")}`;
}

async function resume(agent: CodingAgent, id: string, options: AgentSessionOptions): Promise<AgentSession | undefined> {
  try {
    return await agent.resumeSession(id, options);
  } catch (error) {
    if (AgentError.is(error) && error.code === "session_not_found") return undefined;
    throw error;
  }
}

async function transcriptOf(store: SessionStore, sessionID: string, before: number): Promise<string | undefined> {
  const info = await store.get(sessionID);
  if (!info) return undefined;
  const toText = (events: readonly StoredEvent[]): string => markdownOf({ ...info, position: before }, events);
  const isEnough = (events: readonly StoredEvent[]): boolean => toText(events).length > MAX_TRANSCRIPT;
  const text = toText(await lastEvents(store, sessionID, { before }, isEnough)).slice(-MAX_TRANSCRIPT);
  return `This is a transcript of the conversation so far. Continue it.\n\n<transcript>\n${text}\n</transcript>`;
}
