import type { FileManifest, HostFile } from "./manifest.ts";
import { tooSlow } from "./problems.ts";

export type LoadOutcome =
  | { readonly kind: "loaded"; readonly manifest: FileManifest }
  /** `involved`: the file, or one that was imported together with it, was being imported when the host died. */
  | { readonly kind: "died"; readonly reason: string; readonly involved: boolean };

/** Files that are imported one after another and answered together: fewer messages, but less is known when one goes wrong. */
interface Group {
  readonly files: readonly HostFile[];
  readonly settle: (outcomes: readonly LoadOutcome[]) => void;
}

/** Beyond its own limit a blocked import is ended from outside. */
const SLACK_MS = 500;
/** A group that takes longer is imported again file by file, each with its whole time. */
const TOGETHER_MS = 1_000;

/** The imports that a host has been asked for, in order. Only the first can be the one that blocks or kills it. */
export class ImportQueue {
  readonly #importMs: number;
  readonly #onBlocked: () => void;
  readonly #groups: Group[] = [];
  #timer: NodeJS.Timeout | undefined;
  #blocked = false;

  constructor(importMs: number, onBlocked: () => void) {
    this.#importMs = importMs;
    this.#onBlocked = onBlocked;
  }

  get isEmpty(): boolean {
    return this.#groups.length === 0;
  }

  add(files: readonly HostFile[]): Promise<readonly LoadOutcome[]> {
    return new Promise((settle) => {
      if (this.#groups.push({ files, settle }) === 1) this.#time();
    });
  }

  /** The answer to the first group. */
  answered(manifests: readonly FileManifest[]): void {
    const group = this.#groups.shift();
    this.#time();
    group?.settle(manifests.map((manifest) => ({ kind: "loaded", manifest })));
  }

  /** The host is no more. `fair`: it had come up, so that whatever it was importing may have been the reason. */
  ended(reason: string, fair: boolean): void {
    clearTimeout(this.#timer);
    for (const [index, group] of this.#groups.splice(0).entries()) {
      const involved = index === 0 && fair && !this.#blocked;
      group.settle(group.files.map(() => ({ kind: "died", reason, involved })));
    }
  }

  #time(): void {
    clearTimeout(this.#timer);
    const [group] = this.#groups;
    if (!group) return;
    const alone = group.files.length === 1;
    const limit = alone ? this.#importMs + SLACK_MS : Math.min(TOGETHER_MS, this.#importMs);
    this.#timer = setTimeout(() => this.#giveUp(group), limit);
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
