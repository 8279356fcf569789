import { type FileManifest, type HostFile, hasNoCode, isBroken, PREVIEWS_FILE } from "../../host/protocol/manifest.ts";
import { InvalidMessage } from "../../host/protocol/validate-message.ts";
import { realPath } from "../../platform/files/real-path.ts";
import type { LoadOutcome } from "./import-queue.ts";

/**
 * The files that one host has been asked to load, and the tools that it has in memory. Refuses messages about other files,
 * and messages about these files that the host's own code would not send.
 */
export class HostFiles {
  readonly #directory: string;
  readonly #files = new Map<string, HostFile>();
  readonly #outcomes = new Map<string, Promise<LoadOutcome>>();
  /** The names of the tools in memory, by file. */
  readonly #toolNames = new Map<string, ReadonlySet<string>>();
  /** The files of each load that have no answer yet. */
  readonly #unanswered = new Map<number, Set<string>>();
  /** Files that may declare other tools later: they export a function, or handle session events. */
  readonly #mayChange = new Set<string>();
  /** Files that may declare other tools at any time. */
  readonly #announcing = new Set<string>();
  /** Broken files whose earlier tools are still served from the memory of this host. */
  readonly #servedFromMemory = new Set<string>();
  #followsSessions = false;
  #hasRegisteredTools = false;
  /** The real paths of files that are links. */
  readonly #realPaths = new Map<string, string>();

  /** `directory` is the working directory of the host. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  get loaded(): string[] {
    return [...this.#outcomes.keys()];
  }

  get loadedCount(): number {
    return this.#outcomes.size;
  }

  outcomeOf(file: string): Promise<LoadOutcome> | undefined {
    return this.#outcomes.get(file);
  }

  /** Whether the tool is in memory, so that a call needs no import. */
  hasTool(file: string, tool: string): boolean {
    return file === PREVIEWS_FILE || this.#toolNames.get(file)?.has(tool) === true;
  }

  /** The host has been asked to load files. */
  add(load: number, files: readonly HostFile[], outcomes: readonly Promise<LoadOutcome>[]): void {
    for (const [index, file] of files.entries()) {
      this.#files.set(file.file, file);
      this.#outcomes.set(file.file, outcomes[index] as Promise<LoadOutcome>);
    }
    this.#unanswered.set(load, new Set(files.map(({ file }) => file)));
  }

  /** Checks a "loading" message: the load was asked for. */
  loading(load: number): void {
    this.#unansweredOf("loading", load);
  }

  /** Checks a "loaded" message: each file is answered once. */
  loadedFrom(load: number, manifests: readonly FileManifest[]): FileManifest[] {
    const unanswered = this.#unansweredOf("loaded", load);
    const checked = manifests.map((manifest) => {
      const { file } = manifest;
      if (!unanswered.delete(file)) throw new InvalidMessage(`"loaded": ${quoted(file)} is not awaited`);
      if (manifest.onlyForDirectory !== undefined || manifest.followsSessions) this.#mayChange.add(file);
      if (manifest.announces) this.#announcing.add(file);
      const valid = this.#checked("loaded", manifest);
      // The host still has the tools that a file declared before it was broken.
      if (!isBroken(manifest) || !this.#toolNames.has(file)) this.#setTools(manifest);
      else if (this.#toolNames.get(file)?.size !== 0) this.#servedFromMemory.add(file);
      this.#followsSessions ||= manifest.followsSessions === true;
      return valid;
    });
    if (unanswered.size === 0) this.#unanswered.delete(load);
    return checked;
  }

  /** Checks a "manifest-changed" message: only some files can declare other tools than before. */
  manifestChanged(manifest: FileManifest): FileManifest {
    const file = this.#files.get(manifest.file);
    const checked = this.#checked("manifest-changed", manifest);
    if (file && (hasNoCode(file) || this.#mayChange.has(file.file))) return checked;
    throw new InvalidMessage(`"manifest-changed": ${quoted(manifest.file)} cannot have other tools`);
  }

  /** Whether a file said, when it was loaded, that it may declare other tools at any time. */
  isAnnouncing(file: string): boolean {
    return this.#announcing.has(file);
  }

  /** A file has registered other tools. */
  changeTools(manifest: FileManifest): void {
    this.#setTools(manifest);
    const file = this.#files.get(manifest.file);
    this.#hasRegisteredTools ||= file !== undefined && !hasNoCode(file);
  }

  #setTools({ file, tools }: FileManifest): void {
    this.#toolNames.set(file, new Set(tools.map(({ name }) => name)));
    this.#servedFromMemory.delete(file);
  }

  /** Whether a new host would serve these files as this one does. `hasSessions`: the host has got session data. */
  areReplaceable(hasSessions: boolean): boolean {
    if (this.#followsSessions && hasSessions) return false;
    return !this.#hasRegisteredTools && this.#servedFromMemory.size === 0;
  }

  /** Checks an "imports-changed" message. */
  importsChanged(file: string, imports: FileManifest["imports"]): void {
    this.#checked("imports-changed", { file, imports });
  }

  #unansweredOf(type: string, load: number): Set<string> {
    const unanswered = this.#unanswered.get(load);
    if (!unanswered) throw new InvalidMessage(`"${type}": no such load`);
    return unanswered;
  }

  /** The file itself must be the first of its imports: otherwise the cache would never read the file again. */
  #checked<M extends Pick<FileManifest, "file" | "imports" | "onlyForDirectory" | "runtime">>(
    type: string,
    manifest: M,
  ): M {
    const { file, imports, onlyForDirectory } = manifest;
    const asked = this.#files.get(file);
    if (!asked) throw new InvalidMessage(`"${type}": ${quoted(file)} was not loaded here`);
    if (type !== "imports-changed" && manifest.runtime !== asked.runtime) {
      throw new InvalidMessage(`"${type}": ${quoted(file)} does not run there`);
    }
    if (!asked.server && !this.#isItself(imports[0]?.[0], file)) {
      throw new InvalidMessage(`"${type}": ${quoted(file)} is not the first of its imports`);
    }
    return onlyForDirectory === undefined ? manifest : { ...manifest, onlyForDirectory: this.#directory };
  }

  /** Imports are noted by their real paths. The real path of a link is remembered, since the link may be gone later. */
  #isItself(path: string | undefined, file: string): boolean {
    if (path === undefined || path === file || path === this.#realPaths.get(file)) return path !== undefined;
    if (realPath(file) !== path) return false;
    this.#realPaths.set(file, path);
    return true;
  }
}

function quoted(file: string): string {
  return JSON.stringify(file.slice(-200));
}
