import { within } from "../platform/waiting/within.ts";
import type { CatalogProject } from "./catalog-project.ts";
import type { ToolFile } from "./discovery/tool-file.ts";
import type { ManifestReader } from "./hosts/manifest-reader.ts";
import type { PublishedTools } from "./published-tools.ts";
import { mayDefine, mayReplaceBuiltins } from "./registry/resolve-names.ts";

interface WaitParts {
  readonly project: CatalogProject;
  readonly manifests: ManifestReader;
  readonly tools: PublishedTools;
  /** Publishes everything that has been read so far. */
  readonly publish: () => void;
}

/** Waits for the files of tools that are still being read. */
export class ToolWaits {
  readonly #parts: WaitParts;
  /** The first reading. Undefined once it is over, or its time limit has passed. */
  #firstRead: Promise<void> | undefined;
  /** Resolves after the next file has been read. */
  #nextFile = Promise.withResolvers<void>();
  #closed = false;

  constructor(parts: WaitParts) {
    this.#parts = parts;
  }

  begin(reading: Promise<unknown>): void {
    const over = (): void => {
      this.#firstRead = undefined;
    };
    this.#firstRead = reading.then(over, over);
  }

  /** See `Toolbox.ready`. */
  ready(name?: string): Promise<void> | undefined {
    const { isPublished, unread } = this.#parts.tools;
    if (name === undefined || (isPublished && unread.length === 0)) return this.#firstRead;
    return this.#isOpen(name) ? this.#waitFor(name) : undefined;
  }

  /** See `Toolbox.listable`. */
  listable(ms: number): Promise<void> | undefined {
    return this.#firstRead && this.#publishWithin(ms, this.#firstRead);
  }

  /** Wakes those that wait for a file. */
  fileRead(): void {
    this.#nextFile.resolve();
    this.#nextFile = Promise.withResolvers();
  }

  close(): void {
    this.#closed = true;
    this.#nextFile.resolve();
  }

  async #publishWithin(ms: number, firstRead: Promise<void>): Promise<void> {
    await within(ms, firstRead);
    if (this.#firstRead && !this.#closed) this.#parts.publish();
  }

  /** Whether files that are still being imported decide what this name means. */
  #isOpen(name: string): boolean {
    const { tools, manifests } = this.#parts;
    if (this.#firstRead && !this.#isKnown(name)) return true;
    const found = tools.registry.lookup(name);
    if (found.kind === "unknown") return !tools.registry.problems.some(({ file }) => this.#isBroken(file, name));
    if (!("entry" in found)) return false;
    const { file } = found.entry.ref.file;
    // A file that is still being imported may replace built-in tools: the author's tool may be a safer one.
    return manifests.isUnverified(file) || (tools.isBuiltin(file) && tools.unread.some(mayReplaceBuiltins));
  }

  async #waitFor(name: string): Promise<void> {
    const { tools, publish } = this.#parts;
    const isOpen = (): boolean => !this.#closed && this.#isOpen(name);
    while (this.#firstRead && isOpen()) {
      if (this.#isKnown(name)) publish();
      if (isOpen()) await Promise.race([this.#firstRead, this.#nextFile.promise]);
    }
    // After the time limit, only a file that may define the tool is worth waiting for.
    const isCandidate = (unread: ToolFile): boolean => {
      const current = tools.registry.get(name)?.file;
      if (mayDefine(unread.file, name) || mayDefine(unread.name, name) || current === unread.file) return true;
      return current !== undefined && tools.isBuiltin(current) && mayReplaceBuiltins(unread);
    };
    while (isOpen() && tools.unread.some(isCandidate)) await tools.next;
  }

  /** Whether it is certain which tool has this name, or why its file has none. */
  #isKnown(name: string): boolean {
    if (this.#isDecided(name)) return true;
    const own = this.#parts.project.files.filter(({ file }) => mayDefine(file, name));
    return own.length > 0 && own.every(({ file }) => this.#isBroken(file, name));
  }

  /** Whether the file has this name, and could not be read. Another file rarely defines a tool of that name. */
  #isBroken(file: string, name: string): boolean {
    return mayDefine(file, name) && this.#parts.manifests.hasFailed(file);
  }

  /** Whether files that are still unread can no longer change which tool has this name. */
  #isDecided(name: string): boolean {
    const { project, tools, manifests } = this.#parts;
    const isFixed = tools.fixed.some(({ manifest }) => manifest.tools.some((tool) => tool.name === name));
    if (!isFixed) return manifests.isDecided(name, project.files);
    const { disabled, override } = project.current.settings.tools;
    return disabled.length + override.length === 0 && !manifests.loading(project.files).some(mayReplaceBuiltins);
  }
}
