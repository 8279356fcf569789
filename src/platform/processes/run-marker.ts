import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The environment variable of the programs that tools, hooks and agents start. Its value, the run marker, says what started a
 * program, from the outside to the inside: a toolbox, one of its hosts, a run in it. A program inherits it, wherever it moves.
 */
export const RUN_MARKER = "TOOLWRIGHT_RUN";

/** What a program belongs to, if this process runs it for several owners. */
export interface RunOwner {
  readonly mark: string;
  /** Called before a program is started. */
  begin(): void;
}

const owners = new AsyncLocalStorage<RunOwner>();

/** The marker of a program that is about to be started: a part of that of its owner, or of this process, if it has one. */
export function markOfRun(): string {
  const owner = owners.getStore();
  owner?.begin();
  return newMark(owner?.mark);
}

/** A new marker. Without `within`, it is a part of the marker in the environment, which another Toolwright has set. */
export function newMark(within: string | undefined = process.env[RUN_MARKER]): string {
  return within ? `${within}/${crypto.randomUUID()}` : crypto.randomUUID();
}

/** Runs work. The programs that it starts, also after an await, belong to the owner. */
export function ownedBy<T>(owner: RunOwner, work: () => T): T {
  return owners.run(owner, work);
}

/** Whether `mark` is `of` or a part of it. */
export function isPartOf(mark: string, of: string): boolean {
  return mark.startsWith(of) && (mark.length === of.length || mark[of.length] === "/");
}
