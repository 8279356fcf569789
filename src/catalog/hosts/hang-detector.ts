import type { Heartbeat } from "./heartbeat.ts";
import type { ImportQueue } from "./import-queue.ts";

/** How long a host may be silent during an import before the rest of its work is handed back. */
const SILENT_IMPORT_MS = 3_000;
/** How long files wait for one that is being imported before they are imported in another host. */
const WAIT_MS = 1_000;

/**
 * What to do with a host that may hang:
 * - `wait`: it answers, or an import is running and has not taken too long.
 * - `hand-back`: it keeps the work that it has started, and the rest goes to another host.
 * - `kill`: an import blocks the process, and which of several files does it is unknown. Each is imported alone next.
 */
type HangVerdict = "wait" | "hand-back" | "kill";

/** Decides when calls, queries and files have waited too long for a silent host or for an import. */
export class HangDetector {
  readonly #imports: ImportQueue;
  readonly #heartbeat: Heartbeat;

  constructor(imports: ImportQueue, heartbeat: Heartbeat) {
    this.#imports = imports;
    this.#heartbeat = heartbeat;
  }

  /** Whether a file waits in the host: behind another import, beside one in the same load, or behind a running tool. */
  get hasWaiting(): boolean {
    const { isEmpty, isImporting, hasWaiting, importing } = this.#imports;
    return isImporting ? hasWaiting || importing.length > 1 : !isEmpty;
  }

  /** `runsTools`: calls or queries run too, so that the process must not be killed for an import. */
  verdict(runsTools: boolean): HangVerdict {
    if (this.#holdsUpFiles) {
      const isUnknown = this.#isBlocked && this.#imports.importing.length > 1;
      return isUnknown && !runsTools ? "kill" : "hand-back";
    }
    if (!this.#heartbeat.isSilent) return "wait";
    // `ImportQueue` limits the import. Another host would only start it again.
    if (this.#imports.isImporting && this.#heartbeat.wasHeardWithin(SILENT_IMPORT_MS)) return "wait";
    return "hand-back";
  }

  get #holdsUpFiles(): boolean {
    const { isImporting, isForMcpServers, hasWaiting } = this.#imports;
    if (!isImporting || isForMcpServers || !this.hasWaiting) return false;
    return this.#isBlocked || (hasWaiting && !this.#imports.hadNewsWithin(WAIT_MS));
  }

  get #isBlocked(): boolean {
    return !this.#heartbeat.wasHeardWithin(WAIT_MS);
  }
}
