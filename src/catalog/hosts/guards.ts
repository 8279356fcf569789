import { type FileManifest, hasNoCode, isNoTool, mayLackHooks } from "../../host/protocol/manifest.ts";
import { mentionsHook } from "../../host/protocol/names-hook.ts";
import type { ToolFile } from "../discovery/tool-file.ts";
import type { FileImport, ImportsInProgress } from "./imports-in-progress.ts";
import type { LoadedFile } from "./loaded-file.ts";

/** What is known of a file. */
export interface Known {
  /** Whether the last version that could be read had hooks. */
  readonly hadHooks: boolean;
  /** Whether the hooks of an older version are served, because the present one is broken. */
  readonly isServed: boolean;
  readonly manifest: FileManifest | undefined;
}

/** A guard that could not be read. Calls that it could have seen are refused. */
interface UnreadGuard {
  readonly file: string;
  readonly reason: string;
}

/** For the start of a host, and for an import that is repeated alone in a host. */
const SLACK_MS = 5_000;

/**
 * A guard is a tool file whose last good version had hooks, or whose text names one. Which calls
 * it refuses is unknown before it is read: calls wait until every guard was read, and are refused if one cannot be read.
 */
export class Guards {
  readonly #importing: ImportsInProgress;
  readonly #knownOf: (file: ToolFile) => Known;
  /** Whether a file that is being imported is a guard. */
  readonly #answers = new WeakMap<FileImport, boolean>();
  /** Whether the text of a file that could not be read names a hook. */
  readonly #unreadHooks = new WeakMap<FileManifest, boolean>();

  constructor(importing: ImportsInProgress, knownOf: (file: ToolFile) => Known) {
    this.#importing = importing;
    this.#knownOf = knownOf;
  }

  /** Resolves when every guard has been read, or its import has taken too long; undefined if that is so now. */
  read(importMs: number): Promise<void> | undefined {
    if (this.#importing.isEmpty) return undefined;
    const limit = importMs + SLACK_MS;
    const left = (): number =>
      Math.max(0, ...this.#guardImports().map(({ begunAt }) => begunAt + limit - performance.now()));
    const ms = left();
    return ms === 0 ? undefined : this.#importing.waitWhile(() => left() > 0, ms + 1);
  }

  /** The guards that calls cannot pass: those that could not be read, and those whose import has not ended. */
  unread(entries: readonly LoadedFile[]): UnreadGuard[] {
    const importing = new Set(this.#guardImports().map(({ file }) => file.file));
    return entries.flatMap(({ file, off, problems }) => {
      if (off || hasNoCode(file) || file.location.builtin) return [];
      if (importing.has(file.file) && !this.#knownOf(file).isServed)
        return [{ file: file.file, reason: "its import has not ended yet" }];
      const known = this.#knownOf(file);
      // Without a problem, another file imports it: a helper module.
      const [problem] = problems;
      if (!known.manifest || known.isServed || !problem || !mayLackHooks(known.manifest)) return [];
      if (!known.hadHooks && !this.#mayRegister(known.manifest)) return [];
      return [{ file: file.file, reason: problem.message.replace(/\.$/, "") }];
    });
  }

  /** Whether a file had hooks when it was last read, or its text names one. */
  isGuard(file: ToolFile): boolean {
    return !hasNoCode(file) && (this.#knownOf(file).hadHooks || mentionsHook(file.file) !== undefined);
  }

  #guardImports(): FileImport[] {
    return this.#importing.all.filter((fileImport) => {
      const known = this.#answers.get(fileImport);
      if (known !== undefined) return known;
      const answer = this.isGuard(fileImport.file);
      this.#answers.set(fileImport, answer);
      return answer;
    });
  }

  /** A file that was imported and is no tool has a hook only if it registers one: its text may name a message of a model. */
  #mayRegister(manifest: FileManifest): boolean {
    const known = this.#unreadHooks.get(manifest);
    if (known !== undefined) return known;
    const mention = mentionsHook(manifest.file);
    const answer = mention === "registers" || (mention === "names" && !isNoTool(manifest));
    this.#unreadHooks.set(manifest, answer);
    return answer;
  }
}
