import { dirname } from "node:path";
import type { ReadonlySessionManager, SessionModel, SessionTreeNode } from "../../../authoring/pi/extension-types.ts";
import type { SessionEntry, SessionSnapshot } from "../../../core/session.ts";

/** The session manager of pi. Each method calls `read`, so a call sees the entries that it has added. */
export function createSessionManager(read: () => SessionSnapshot, cwd: string): ReadonlySessionManager {
  const entries = (): readonly SessionEntry[] => read().entries ?? [];
  const find = (id: string | null): SessionEntry | undefined => entries().find((entry) => entry.id === id);
  const leafId = (): string | null => {
    const { leafId } = read();
    return leafId === undefined ? (entries().at(-1)?.id ?? null) : leafId;
  };
  const branch = (fromId: string | null): SessionEntry[] => pathTo(fromId, entries());
  const projection = () => projectionOf(read(), branch(leafId()));
  return {
    getEntries: () => [...entries()],
    getBranch: (fromId) => branch(fromId ?? leafId()),
    getEntry: find,
    getLeafId: leafId,
    getLeafEntry: () => find(leafId()),
    getChildren: (parentId) => entries().filter((entry) => entry.parentId === parentId),
    getLabel: (id) => labelsIn(entries()).get(id),
    getTree: () => treeOf(entries()),
    getHeader: () => headerOf(read(), cwd),
    getSessionId: () => read().id,
    getSessionFile: () => read().file,
    getSessionName: () => read().name ?? nameIn(entries()),
    getSessionDir: () => dirname(read().file ?? `${cwd}/.`),
    getCwd: () => cwd,
    isPersisted: () => read().file !== undefined,
    buildContextEntries: () => contextEntries(branch(leafId())),
    buildSessionProjection: projection,
    buildSessionContext: () => {
      const { messages, thinkingLevel, model } = projection();
      return { messages, thinkingLevel, model };
    },
  };
}

/** The entries from the root to `id`. Ends at a cycle of parents. */
function pathTo(id: string | null, entries: readonly SessionEntry[]): SessionEntry[] {
  const byId = new Map<string | null, SessionEntry>(entries.map((entry) => [entry.id, entry]));
  const path = new Map<string, SessionEntry>();
  for (let entry = byId.get(id); entry && !path.has(entry.id); entry = byId.get(entry.parentId)) {
    path.set(entry.id, entry);
  }
  return [...path.values()].reverse();
}

/** Labels by entry id. The last label of an entry counts; one without text removes it. */
function labelsIn(entries: readonly SessionEntry[]): Map<unknown, string> {
  const labels = entries
    .filter(({ type }) => type === "label")
    .map(({ targetId, label }) => [targetId, label] as const);
  return new Map([...new Map(labels)].filter((one): one is [unknown, string] => typeof one[1] === "string"));
}

function nameIn(entries: readonly SessionEntry[]): string | undefined {
  const name = entries.findLast((entry) => entry.type === "session_info")?.name;
  return typeof name === "string" ? name : undefined;
}

function treeOf(entries: readonly SessionEntry[]): SessionTreeNode[] {
  const labels = labelsIn(entries);
  const nodes = new Map(entries.map((entry) => [entry.id, nodeOf(entry, labels.get(entry.id))]));
  const roots: SessionTreeNode[] = [];
  for (const node of nodes.values()) {
    const parent = node.entry.parentId === null ? undefined : nodes.get(node.entry.parentId);
    (parent?.children ?? roots).push(node);
  }
  return roots;
}

function nodeOf(entry: SessionEntry, label: string | undefined): SessionTreeNode {
  return { entry, children: [], ...(label === undefined ? {} : { label }) };
}

function headerOf({ id, entries }: SessionSnapshot, cwd: string): ReturnType<ReadonlySessionManager["getHeader"]> {
  const timestamp = entries?.[0]?.timestamp ?? new Date(0).toISOString();
  return id === "" ? null : { type: "session", version: 3, id, timestamp, cwd };
}

type Projection = ReturnType<ReadonlySessionManager["buildSessionProjection"]>;

/** The context of the model: the messages of the agent if it sent them, else those of the branch. */
function projectionOf(session: SessionSnapshot, branch: readonly SessionEntry[]): Projection {
  const entries = contextEntries(branch).map((sourceEntry) => ({ sourceEntry, messages: messagesOf(sourceEntry) }));
  return {
    entries,
    messages: [...(session.messages ?? entries.flatMap(({ messages }) => messages))],
    thinkingLevel: session.thinkingLevel ?? "off",
    model: modelOf(session.model),
  };
}

/** The entries of a branch that the model still sees: after a compaction, the summary and the entries from `firstKeptEntryId`. */
function contextEntries(branch: readonly SessionEntry[]): SessionEntry[] {
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
