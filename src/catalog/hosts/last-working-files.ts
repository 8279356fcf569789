import type { CodeVersion, Hosts } from "../../host/protocol/hosts.ts";
import type { FileManifest } from "../../host/protocol/manifest.ts";

/** A file as it was when it last had tools or hooks, and the code version that still runs it. */
interface WorkingFile {
  readonly manifest: FileManifest;
  readonly codeVersion: CodeVersion;
  /** Whether a host had the file in memory. Otherwise its code is lost. */
  readonly isInMemory: boolean;
}

/** Files that are broken or being read again, as they last worked. Retains the code versions that serve them. */
export class LastWorkingFiles {
  readonly #hosts: Hosts;
  readonly #byFile = new Map<string, WorkingFile>();

  constructor(hosts: Hosts) {
    this.#hosts = hosts;
  }

  get(file: string): WorkingFile | undefined {
    return this.#byFile.get(file);
  }

  has(file: string): boolean {
    return this.#byFile.has(file);
  }

  hasHooks(file: string): boolean {
    return (this.#byFile.get(file)?.manifest.hooks ?? []).length > 0;
  }

  /** Whether a host still runs the hooks. */
  runsHooks(file: string): boolean {
    return this.hasHooks(file) && this.#byFile.get(file)?.isInMemory === true;
  }

  /** To be called before a file is read again. An earlier working version stays. */
  keep(manifest: FileManifest | undefined): void {
    if (!manifest || isEmpty(manifest) || this.#byFile.has(manifest.file)) return;
    const codeVersion = this.#hosts.current;
    this.#hosts.retain(codeVersion);
    const isInMemory = this.#hosts.loadedFiles().includes(manifest.file);
    this.#byFile.set(manifest.file, { manifest, codeVersion, isInMemory });
  }

  /** The file works again, or is gone. */
  release(file: string): void {
    const working = this.#byFile.get(file);
    if (!working) return;
    this.#byFile.delete(file);
    this.#hosts.release(working.codeVersion);
  }

  keepOnly(files: ReadonlySet<string>): void {
    for (const file of this.#byFile.keys()) if (!files.has(file)) this.release(file);
  }
}

function isEmpty({ tools, hooks = [] }: FileManifest): boolean {
  return tools.length + hooks.length === 0;
}
