import type { Format } from "../core/tool.ts";
import type { Hosts } from "../host/protocol/hosts.ts";
import type { FileManifest } from "../host/protocol/manifest.ts";
import type { Settings } from "../settings/settings.ts";
import type { Builtins } from "./builtin-selection.ts";
import { type AgentKinds, BUILTIN_NAMES, builtinEntries, previewTool } from "./builtin-tools.ts";
import type { ToolFile } from "./discovery/tool-file.ts";
import type { LoadedFile } from "./hosts/loaded-file.ts";
import { Registry } from "./registry/registry.ts";
import type { RegistryEntry } from "./registry/registry-entry.ts";
import { resolveNames } from "./registry/resolve-names.ts";

/** The formats whose authors read the session of a call: its entries, its model, whether it is idle. */
const READS_SESSIONS: ReadonlySet<Format | undefined> = new Set(["factory", "pi-extension"]);

export interface PublishedParts {
  readonly hosts: Hosts;
  readonly directory: string;
  /** The root of the project. */
  readonly workspace: string;
  /** Tools that the program passed as values. */
  readonly codeEntries: readonly LoadedFile[];
  readonly builtins: Builtins;
  /** The kinds of sub-agents, for the description of the tool that delegates to them. */
  readonly agentKinds: (settings: Settings) => AgentKinds | undefined;
  /** Called after each publication of the list of tools. */
  readonly onPublish: () => void;
}

/** The tools that are served now, and the files that they come from. */
export class PublishedTools {
  readonly registry: Registry;
  readonly #parts: PublishedParts;
  readonly #builtins: readonly LoadedFile[];
  #code: readonly LoadedFile[];
  #entries: readonly LoadedFile[] = [];
  #unread: readonly ToolFile[] | undefined;
  #next = Promise.withResolvers<void>();
  /** All built-in tools by name, served or not. Created when a tool first calls one. */
  #all: { readonly of: Settings; readonly entries: ReadonlyMap<string, RegistryEntry> } | undefined;
  #readers: { readonly of: readonly LoadedFile[]; readonly has: boolean } = { of: [], has: false };

  constructor(parts: PublishedParts, settings: Settings) {
    this.#parts = parts;
    this.registry = new Registry([previewTool(parts.hosts.current)]);
    this.#code = parts.codeEntries;
    this.#builtins = this.#builtinEntries(parts.builtins, settings);
  }

  /** Serves the tools of these files. `unread` are those that are still being imported. */
  publish(files: readonly LoadedFile[], unread: readonly ToolFile[], { disabled, override }: Settings["tools"]): void {
    this.#entries = [...this.fixed, ...files];
    this.registry.replace(resolveNames(this.#entries, { disabled, override, builtins: BUILTIN_NAMES }));
    this.#unread = unread;
    this.#parts.onPublish();
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  get isPublished(): boolean {
    return this.#unread !== undefined;
  }

  /** Resolves after the next publication, or when the catalog is closed. */
  get next(): Promise<void> {
    return this.#next.promise;
  }

  /** Code tools, built-in tools and files, highest priority first. */
  get entries(): readonly LoadedFile[] {
    return this.#entries;
  }

  /** The entries that are known without a reading: code tools and built-in tools. */
  get fixed(): readonly LoadedFile[] {
    return [...this.#code, ...this.#builtins];
  }

  /** Files that were still being imported at the last publication. */
  get unread(): readonly ToolFile[] {
    return this.#unread ?? [];
  }

  isBuiltin(file: string): boolean {
    return this.#builtins.some((each) => each.file.file === file);
  }

  /** A built-in tool, served or not. */
  builtin(name: string, settings: Settings): RegistryEntry | undefined {
    if (this.#all?.of !== settings) {
      const { disabled } = settings.tools;
      const { entries } = resolveNames(this.#builtinEntries(true, settings), { disabled, builtins: BUILTIN_NAMES });
      this.#all = { of: settings, entries };
    }
    return this.#all.entries.get(name);
  }

  /** Whether a file is of a format whose authors read the session of a call. */
  readsSessions(): boolean {
    if (this.#readers.of !== this.#entries) {
      const isReader = ({ manifest, off }: LoadedFile): boolean => !off && READS_SESSIONS.has(manifest.about?.format);
      this.#readers = { of: this.#entries, has: this.#entries.some(isReader) };
    }
    return this.#readers.has;
  }

  /** Replaces the manifest of a code tool. Returns false if the manifest is that of another file. */
  updateCode(manifest: FileManifest): boolean {
    const isOfFile = ({ file }: LoadedFile): boolean => file.file === manifest.file;
    if (!this.#code.some(isOfFile)) return false;
    const { problems } = manifest;
    this.#code = this.#code.map((entry) => (isOfFile(entry) ? { ...entry, manifest, problems } : entry));
    return true;
  }

  close(): void {
    this.#next.resolve();
  }

  #builtinEntries(selection: Builtins, settings: Settings): LoadedFile[] {
    const { directory, workspace, agentKinds, hosts } = this.#parts;
    return builtinEntries(selection, { directory, workspace, kinds: agentKinds(settings) }, hosts.permanent);
  }
}
