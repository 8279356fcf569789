import type { ReadonlySessionManager, SessionModel } from "../../authoring/pi/extension-types.ts";
import type { SessionEntry, SessionSnapshot } from "../../core/session.ts";

type Projection = ReturnType<ReadonlySessionManager["buildSessionProjection"]>;

/** What the model of a session is given: the messages as the agent has them, else those that the branch tells of. */
export function projectionOf(session: SessionSnapshot, branch: readonly SessionEntry[]): Projection {
  const entries = contextEntries(branch).map((sourceEntry) => ({ sourceEntry, messages: messagesOf(sourceEntry) }));
  return {
    entries,
    messages: [...(session.messages ?? entries.flatMap(({ messages }) => messages))],
    thinkingLevel: session.thinkingLevel ?? "off",
    model: modelOf(session.model),
  };
}

/** The entries of a branch that a model still sees: of what was compacted, the summary and what was kept. */
export function contextEntries(branch: readonly SessionEntry[]): SessionEntry[] {
  const at = branch.findLastIndex(({ type }) => type === "compaction");
  const summary = branch[at];
  if (!summary) return [...branch];
  const kept = branch.slice(0, at).findIndex(({ id }) => id === summary.firstKeptEntryId);
  return [summary, ...(kept < 0 ? [] : branch.slice(kept, at)), ...branch.slice(at + 1)];
}

function messagesOf({ type, timestamp, ...entry }: SessionEntry): unknown[] {
  const { customType, content, display, details, summary, tokensBefore, fromId } = entry;
  switch (type) {
    case "message":
      return [entry.message];
    case "custom_message":
      return [{ role: "custom", customType, content, display, details, timestamp: Date.parse(timestamp) }];
    case "compaction":
      return [{ role: "compactionSummary", summary, tokensBefore, timestamp: Date.parse(timestamp) }];
    case "branch_summary":
      return [{ role: "branchSummary", summary, fromId, timestamp: Date.parse(timestamp) }];
    default:
      return [];
  }
}

function modelOf(model: SessionSnapshot["model"]): SessionModel | null {
  return model ? { provider: String(model.provider ?? ""), modelId: String(model.id ?? "") } : null;
}
