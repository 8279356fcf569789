import type { InProcess, InProcessOptions } from "../host/process/in-process.ts";
import type {
  CodeVersion,
  FileRef,
  FileUnavailable,
  HostCount,
  Hosts,
  HostsListener,
  ImportOptions,
  Outcome,
  QueryOutcome,
} from "../host/protocol/hosts.ts";
import { type FileManifest, type HostFile, PREVIEWS_FILE } from "../host/protocol/manifest.ts";
import type { HostCall, HostQuery, QueryKind, ToolboxInfo } from "../host/protocol/messages.ts";
import type { CodeTools } from "./catalog.ts";
import type { ToolFile } from "./discovery/tool-file.ts";
import type { LoadedFile } from "./hosts/loaded-file.ts";
import { toHostFile } from "./hosts/loaded-file.ts";

/** A value that is read like the default export of a file. */
interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

/** The hosts of tool files, plus this process as the host of tools that a program passes as values or registers with an agent. */
export class CodeHosts implements Hosts {
  readonly #files: Hosts;
  readonly #at: Omit<InProcessOptions, "values">;
  /** By the name of the file that each replaces. */
  readonly #values = new Map<string, unknown>();
  #opening: Promise<InProcess> | undefined;
  /** Undefined until the first values are loaded: its code is heavy. */
  #code: InProcess | undefined;
  #listener: HostsListener | undefined;
  #toolboxInfo: ToolboxInfo | undefined;

  constructor(files: Hosts, at: Omit<InProcessOptions, "values">) {
    this.#files = files;
    this.#at = at;
  }

  /** Reads values as if each were a file. A name that is taken gets a number. */
  async loadValues(values: readonly NamedValue[]): Promise<LoadedFile[]> {
    const found = values.map(({ name, value }): ToolFile => {
      const file = this.#freeFile(name);
      this.#values.set(file, value);
      return { file, name: file.slice(PREFIX.length), location: LOCATION };
    });
    const code = await this.#open();
    const manifests = await code.load(found.map((file) => toHostFile(file)));
    return found.map((file, index) => {
      const manifest = manifests[index] as FileManifest;
      return { file, manifest, codeVersion: code.current, problems: manifest.problems, off: false };
    });
  }

  #freeFile(name: string): string {
    for (let number = 1; ; number += 1) {
      const file = `${PREFIX}${name}${number === 1 ? "" : `:${number}`}`;
      if (!this.#values.has(file)) return file;
    }
  }

  #open(): Promise<InProcess> {
    this.#opening ??= import("../host/process/in-process.ts").then(({ InProcess }) => {
      const code = new InProcess({ ...this.#at, values: this.#values });
      if (this.#listener) code.listen(this.#listener);
      if (this.#toolboxInfo) code.setToolboxInfo(this.#toolboxInfo);
      this.#code = code;
      return code;
    });
    return this.#opening;
  }

  get current(): CodeVersion {
    return this.#files.current;
  }

  get permanent(): CodeVersion {
    return this.#files.permanent;
  }

  startVersion(): CodeVersion {
    return this.#files.startVersion();
  }

  retain(codeVersion: CodeVersion): void {
    if (codeVersion !== this.#code?.current) this.#files.retain(codeVersion);
  }

  release(codeVersion: CodeVersion): void {
    if (codeVersion !== this.#code?.current) this.#files.release(codeVersion);
  }

  get runsBun(): boolean {
    return this.#files.runsBun;
  }

  loadedFiles(): readonly string[] {
    return this.#files.loadedFiles();
  }

  importing(): readonly string[] {
    return this.#files.importing();
  }

  failedFiles(): ReadonlySet<string> {
    return this.#files.failedFiles();
  }

  processes(): readonly HostCount[] {
    return this.#files.processes();
  }

  listen(listener: HostsListener): void {
    this.#listener = listener;
    this.#files.listen(listener);
    this.#code?.listen(listener);
  }

  setToolboxInfo(toolboxInfo: ToolboxInfo): void {
    this.#toolboxInfo = toolboxInfo;
    this.#files.setToolboxInfo(toolboxInfo);
    this.#code?.setToolboxInfo(toolboxInfo);
  }

  previewsIn(sessionID: string): number {
    return this.#files.previewsIn(sessionID) + (this.#code?.previewsIn(sessionID) ?? 0);
  }

  discardPreviews(sessionID: string): void {
    this.#files.discardPreviews(sessionID);
    this.#code?.discardPreviews(sessionID);
  }

  load(files: readonly HostFile[], options?: ImportOptions): Promise<FileManifest[]> {
    return this.#files.load(files, options);
  }

  query<K extends QueryKind>(
    ref: FileRef,
    query: HostQuery<K>,
    signal: AbortSignal,
    started?: () => void,
  ): Promise<QueryOutcome<K> | FileUnavailable> {
    return this.#hostsOf(ref).query(ref, query, signal, started);
  }

  run(
    ref: FileRef,
    call: HostCall,
    port: Parameters<Hosts["run"]>[2],
    signal: AbortSignal,
  ): Promise<Outcome | FileUnavailable> {
    const { sessionID } = call.context;
    const previews = ref.file.file === PREVIEWS_FILE && this.#code?.previewsIn(sessionID) ? this.#code : undefined;
    return (previews ?? this.#hostsOf(ref)).run(ref, call, port, signal);
  }

  async close(): Promise<void> {
    await Promise.all([this.#files.close(), this.#opening?.then((code) => code.close())]);
  }

  #hostsOf({ file }: FileRef): Hosts {
    return (file.place === "code" && file.file !== PREVIEWS_FILE ? this.#code : undefined) ?? this.#files;
  }
}

const PREFIX = "code:";
const LOCATION = { path: "code", kind: "code", system: "toolwright", ofProject: false } as const;

/** The tools that a program passes to a toolbox, each with its name. */
export function namedValues(tools: CodeTools): readonly NamedValue[] {
  return Array.isArray(tools)
    ? tools.map((value, index) => ({ name: `tools[${index}]`, value: value as unknown }))
    : Object.entries(tools).map(([name, value]) => ({ name, value }));
}
