import { realPath } from "../files/real-path.ts";
import { type FileManifest, type HostFile, hasNoCode } from "../protocol/manifest.ts";
import { InvalidMessage } from "../protocol/validate-message.ts";

/**
 * The files that a host has been asked to load. Nothing that it says of another file is taken, and what it says of these
 * only when its own code would say it.
 */
export class AskedFiles {
  readonly #directory: string;
  readonly #files = new Map<string, HostFile>();
  /** The files of each load that have not been answered. */
  readonly #loads = new Map<number, Set<string>>();
  /** Files that may come to have other tools: a function of the author's made them, or the file is told of sessions. */
  readonly #open = new Set<string>();
  /** The real paths of files that are links. */
  readonly #real = new Map<string, string>();

  /** `directory` is that of the host. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  ask(load: number, files: readonly HostFile[]): void {
    for (const file of files) this.#files.set(file.file, file);
    this.#loads.set(load, new Set(files.map(({ file }) => file)));
  }

  /** Checks that a load which the host has begun was asked for. */
  began(load: number): void {
    this.#leftOf("loading", load);
  }

  /** Checks what a host answers to a load. Each file is answered once. */
  answered(load: number, manifests: readonly FileManifest[]): FileManifest[] {
    const left = this.#leftOf("loaded", load);
    const checked = manifests.map((manifest) => {
      if (!left.delete(manifest.file)) throw new InvalidMessage(`"loaded": ${quoted(manifest.file)} is not awaited`);
      if (manifest.onlyForDirectory !== undefined || manifest.followsSessions) this.#open.add(manifest.file);
      return this.#checked("loaded", manifest);
    });
    if (left.size === 0) this.#loads.delete(load);
    return checked;
  }

  /** Checks what a host says of a file that has other tools than before: only some files can. */
  manifestChanged(manifest: FileManifest): FileManifest {
    const file = this.#files.get(manifest.file);
    const checked = this.#checked("manifest-changed", manifest);
    if (file && (hasNoCode(file) || this.#open.has(file.file))) return checked;
    throw new InvalidMessage(`"manifest-changed": ${quoted(manifest.file)} cannot have other tools`);
  }

  /** Checks what a host says of further imports of a file. */
  importsChanged(file: string, imports: FileManifest["imports"]): void {
    this.#checked("imports-changed", { file, imports });
  }

  #leftOf(type: string, load: number): Set<string> {
    const left = this.#loads.get(load);
    if (!left) throw new InvalidMessage(`"${type}": no such load`);
    return left;
  }

  /** Without the file itself among its imports a manifest would never be read again. */
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

  /** Imports are noted by their real paths: that of a link is remembered, since the link may be gone later. */
  #isItself(path: string | undefined, file: string): boolean {
    if (path === undefined || path === file || path === this.#real.get(file)) return path !== undefined;
    if (realPath(file) !== path) return false;
    this.#real.set(file, path);
    return true;
  }
}

function quoted(file: string): string {
  return JSON.stringify(file.slice(-200));
}
