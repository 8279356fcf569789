import type { HostProcess } from "./host-process.ts";
import type { Generation, HostKind } from "./hosts.ts";
import { contentOf, type HostFile } from "./manifest.ts";

/** A generation as its hosts know it. */
export interface CodeState extends Generation {
  /** By what shares a process: everything, or one file. */
  readonly hosts: Map<string, HostProcess>;
  /** Files that could not be imported when a call asked for them. */
  readonly troubled: Set<string>;
  /** Files that throw in the host which they would share with others: each has one for itself. */
  readonly apart: Set<string>;
  /** For how many it must stay. */
  holds: number;
  /** Whether another is the current one. */
  retired: boolean;
}

export function newCodeState(id: number): CodeState {
  return { id, hosts: new Map(), troubled: new Set(), apart: new Set(), holds: 0, retired: false };
}

/** Whether no call of that state of the code can come any more: its hosts have been sent away. */
export function isOver({ retired, holds }: CodeState): boolean {
  return retired && holds <= 0;
}

export function retireIfOver(state: CodeState): void {
  if (!isOver(state)) return;
  for (const host of state.hosts.values()) host.retire();
}

export function kindOf(file: HostFile): HostKind {
  const content = contentOf(file);
  if (content === "module") return file.runtime ?? "node";
  return content === "mcp" ? "mcp" : "own";
}
