import { SERVER_TIMEOUT_MS } from "../core/mcp-server.ts";
import type { FileManifest, HostFile } from "./manifest.ts";
import { tooSlow } from "./problems.ts";

export type LoadOutcome =
  | { readonly kind: "loaded"; readonly manifest: FileManifest }
  /** `involved`: the file, or one that was imported together with it, was being imported when the host died. */
  | { readonly kind: "died"; readonly reason: string; readonly involved: boolean };

/** Files that are imported and answered together: fewer messages, but less is known when one goes wrong. */
interface Group {
  readonly files: readonly HostFile[];
  readonly settle: (outcomes: readonly LoadOutcome[]) => void;
}

/** Beyond its own limit a blocked import is ended from outside. */
const SLACK_MS = 500;
/** For what comes before and after the two waits for a server. */
const SERVER_SLACK_MS = 5_000;
/** A group that takes longer is imported again file by file, each with its whole time. */
const TOGETHER_MS = 1_000;

/** The imports that a host has been asked for, in order. Only the first can be the one that blocks or kills it. */
export class ImportQueue {
  readonly #importMs: number;
  readonly #onBlocked: () => void;
  readonly #groups: Group[] = [];
  #timer: NodeJS.Timeout | undefined;
  #begun = false;
  #blocked = false;

  constructor(importMs: number, onBlocked: () => void) {
    this.#importMs = importMs;
    this.#onBlocked = onBlocked;
  }

  get isEmpty(): boolean {
    return this.#groups.length === 0;
  }

  add(files: readonly HostFile[]): Promise<readonly LoadOutcome[]> {
    return new Promise((settle) => this.#groups.push({ files, settle }));
  }

  /** Whether a file is being imported at this moment: then silence is to be expected, for a while. */
  get isImporting(): boolean {
    return this.#begun;
  }

  /** The host has come to the first group: what it did before that is not the files' time. */
  began(): void {
    const [group] = this.#groups;
    if (!group || this.#blocked) return;
    this.#begun = true;
    const limit = this.#limitOf(group.files);
    this.#timer = setTimeout(() => {
      // If it was we who were held up, the answer may lie there unread: it is read before anybody is judged.
      setImmediate(() => {
        if (this.#groups[0] === group && this.#begun) this.#giveUp(group);
      });
    }, limit);
  }

  /** What has not begun will not: another host may do it. */
  abandon(reason: string): void {
    for (const { files, settle } of this.#groups.splice(this.#begun ? 1 : 0)) {
      settle(files.map(() => ({ kind: "died", reason, involved: false })));
    }
  }

  /** The answer to the first group. */
  answered(manifests: readonly FileManifest[]): void {
    const [group] = this.#groups;
    // An answer that was on its way when its group was given up is nobody's any more.
    if (!group || this.#blocked || manifests[0]?.file !== group.files[0]?.file) return;
    this.#groups.shift();
    this.#stopClock();
    group.settle(manifests.map((manifest) => ({ kind: "loaded", manifest })));
  }

  /** The host is no more. `fair`: it had come up, so that whatever it was importing may have been the reason. */
  ended(reason: string, fair: boolean): void {
    const begun = this.#begun;
    this.#stopClock();
    for (const [index, group] of this.#groups.splice(0).entries()) {
      const involved = index === 0 && begun && fair && !this.#blocked;
      group.settle(group.files.map(() => ({ kind: "died", reason, involved })));
    }
  }

  /** A server has a limit of its own, once to connect and once more to say what it has. */
  #limitOf(files: readonly HostFile[]): number {
    const [only] = files;
    if (only?.server) return 2 * (only.server.timeoutMs ?? SERVER_TIMEOUT_MS) + SERVER_SLACK_MS;
    return files.length === 1 ? this.#importMs + SLACK_MS : Math.min(TOGETHER_MS, this.#importMs);
  }

  #stopClock(): void {
    clearTimeout(this.#timer);
    this.#begun = false;
  }

  #giveUp(group: Group): void {
    this.#groups.shift();
    this.#blocked = true;
    const [only] = group.files;
    if (only && group.files.length === 1) {
      const manifest = { file: only.file, tools: [], problems: [tooSlow(only.file, this.#importMs)], imports: [] };
      group.settle([{ kind: "loaded", manifest }]);
    } else {
      const reason = "importing several files took too long";
      group.settle(group.files.map(() => ({ kind: "died", reason, involved: true })));
    }
    this.#onBlocked();
  }
}
