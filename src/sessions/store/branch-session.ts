import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionInfo } from "../../core/session-log.ts";
import { BRANCH_REASON, branchInfo, firstInfo, infoAfter } from "../log/session-info.ts";
import { sessionExists, sessionNotFound } from "./session-checks.ts";
import type { Appended, NewRow, SessionRow } from "./session-tables.ts";
import { StepSize } from "./step-size.ts";
import { storeError } from "./store-errors.ts";
import type { StoreParts } from "./store-parts.ts";

/** The number of events that are folded at once. */
const PAGE_SIZE = 100;

interface NewBranch extends NewRow {
  /** The last event of the source that it gets. */
  readonly position: number;
}

/** How the parts of a branch are written: in one transaction each. */
interface BranchWriter {
  readonly parts: StoreParts;
  /** Commits, with room for the changes. */
  commit(apply: () => readonly Appended[], options?: { readonly volatile: boolean }): Promise<readonly Appended[]>;
}

/**
 * Copies a session up to a position, in short transactions. The copy becomes a session in the last one: a process that is killed
 * before leaves `LooseEvents`. Events are never changed, so that the source may grow meanwhile.
 */
export async function branchSession(writer: BranchWriter, source: SessionRow, branch: NewBranch): Promise<SessionInfo> {
  const { parts } = writer;
  const info = await infoAt(parts, source, branch.position);
  const key = await begin(writer, branch);
  try {
    const step = new StepSize();
    for (let copied = 0; copied < branch.position; )
      copied = await copySome(writer, { source, branch, key, copied, step });
    return await complete(writer, source, { ...branch, key, info });
  } catch (error) {
    // If that fails too, the events are deleted when this process has ended.
    await parts.queue.run({ volatile: true, apply: () => parts.loose.add(key, null) }).catch(() => {});
    throw error;
  }
}

async function begin({ parts, commit }: BranchWriter, branch: NewBranch): Promise<number> {
  let key = 0;
  const apply = (): readonly Appended[] => {
    requireNew(parts, branch);
    key = parts.tables.reserveKey(branch.project.key);
    parts.loose.add(key, parts.owners.key);
    return [];
  };
  await commit(apply, { volatile: true });
  return key;
}

/** What has been copied. */
interface Copying {
  readonly source: SessionRow;
  readonly branch: NewBranch;
  readonly key: number;
  readonly copied: number;
  readonly step: StepSize;
}

/** Copies some more events. Resolves to the position of the last one. */
async function copySome(
  { parts, commit }: BranchWriter,
  { source, branch, key, copied, step }: Copying,
): Promise<number> {
  let to = copied;
  const apply = (): readonly Appended[] => {
    requireSource(parts, source);
    parts.owners.renew(Date.now());
    step.run((rows) => {
      to = Math.min(branch.position, copied + rows);
      parts.tables.copyEvents(key, source.key, { after: copied, to });
    });
    return [];
  };
  await commit(apply, { volatile: true });
  // In memory, a commit does not wait for the event loop.
  if (to < branch.position) await nextTurn();
  return to;
}

async function complete(
  { parts, commit }: BranchWriter,
  source: SessionRow,
  branch: NewBranch & { readonly key: number; readonly info: SessionInfo },
): Promise<SessionInfo> {
  const { tables, loose, owners } = parts;
  const [added] = await commit(() => {
    requireSource(parts, source);
    requireNew(parts, branch);
    if (!loose.keep(branch.key, owners.key)) throw copyLost();
    const now = Date.now();
    const row = tables.addBranch(source, { ...branch, info: branchInfo(branch.info, { id: branch.id, at: now }) });
    return [tables.interrupt(row, BRANCH_REASON, now)];
  });
  return (added as Appended).info;
}

async function infoAt(parts: StoreParts, source: SessionRow, position: number): Promise<SessionInfo> {
  if (position === source.info.position) return source.info;
  let info: SessionInfo | undefined;
  for (let at = 0; at < position; ) {
    const page = await parts.events(() => source, { after: at, limit: Math.min(PAGE_SIZE, position - at) });
    if (page.length === 0) throw sessionNotFound(source.info.id);
    for (const event of page) {
      if (info) info = infoAfter(info, event);
      else if (event.type === "session.start") info = firstInfo(source.info, event);
    }
    at = page.at(-1)?.position ?? position;
  }
  return info ?? source.info;
}

/** The events of a removed session are being deleted. */
function requireSource({ tables }: StoreParts, { key, info }: SessionRow): void {
  if (!tables.byKey(key)) throw sessionNotFound(info.id);
}

function requireNew({ tables }: StoreParts, { id, project }: NewBranch): void {
  if (tables.find(project.key, id)) throw sessionExists(id);
}

/** Another process has deleted the events of the copy, since this one seemed to be gone. */
function copyLost(): Error {
  return storeError(
    "store_failed",
    "The copy was deleted by another process, because this one did not respond for some time",
    "Branch the session again.",
  );
}
