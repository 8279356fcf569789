import type { Heartbeat } from "./heartbeat.ts";
import type { ImportQueue } from "./import-queue.ts";

/** How long a host may be silent during an import before the rest of its work is handed back. */
const SILENT_IMPORT_MS = 3_000;
/** How long files wait for one that is being imported before they are imported in another host. */
const WAIT_MS = 1_000;

/**
 * What to do with a host that imports files:
 * - `wait`: nothing depends on the import, or it has not taken long.
 * - `hand-back`: the file that takes long stays with this host, and everything that waits for it goes to another.
 * - `kill`: the import blocks the process, and which of several files does it is unknown. Each is imported alone next.
 */
export type ImportVerdict = "wait" | "hand-back" | "kill";

/** Decides how long a file may be imported while other files, calls or queries wait for it. */
export class ImportPatience {
  readonly #imports: ImportQueue;
  readonly #heartbeat: Heartbeat;

  constructor(imports: ImportQueue, heartbeat: Heartbeat) {
    this.#imports = imports;
    this.#heartbeat = heartbeat;
  }

  /** Whether a file waits: for another that is imported before it or beside it, or for a tool. */
  get hasWaiting(): boolean {
    const { isEmpty, isImporting, hasWaiting, importing } = this.#imports;
    return isImporting ? hasWaiting || importing.length > 1 : !isEmpty;
  }

  /** `runsTools`: calls or queries run too, so that the process must not be killed for an import. */
  verdict(runsTools: boolean): ImportVerdict {
    if (this.#holdsUpFiles) {
      const isUnknown = this.#isBlocked && this.#imports.importing.length > 1;
      return isUnknown && !runsTools ? "kill" : "hand-back";
    }
    if (!this.#heartbeat.isSilent) return "wait";
    // An import has a time limit of its own; another host would only start it again.
    if (this.#imports.isImporting && this.#heartbeat.wasHeardWithin(SILENT_IMPORT_MS)) return "wait";
    return "hand-back";
  }

  get #holdsUpFiles(): boolean {
    const { isImporting, isOfServers, hasWaiting } = this.#imports;
    if (!isImporting || isOfServers || !this.hasWaiting) return false;
    return this.#isBlocked || (hasWaiting && !this.#imports.hadNewsWithin(WAIT_MS));
  }

  get #isBlocked(): boolean {
    return !this.#heartbeat.wasHeardWithin(WAIT_MS);
  }
}
