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

/** The hosts of tool files, plus this process as the host of tools that a program passes as values. */
export class CodeHosts implements Hosts {
  readonly #files: Hosts;
  readonly #code: InProcess;
  readonly #values: readonly ToolFile[];

  private constructor(files: Hosts, code: InProcess, values: readonly ToolFile[]) {
    this.#files = files;
    this.#code = code;
    this.#values = values;
  }

  static async open(
    files: Hosts,
    tools: CodeTools,
    at: Pick<InProcessOptions, "cwd" | "worktree" | "importMs" | "log" | "runs">,
  ): Promise<CodeHosts> {
    const { InProcess } = await import("../host/process/in-process.ts");
    const named = Array.isArray(tools)
      ? tools.map((value, index) => ({ name: `tools[${index}]`, value: value as unknown }))
      : Object.entries(tools).map(([name, value]) => ({ name, value }));
    const values = new Map(named.map(({ name, value }) => [fileOf(name), value]));
    const location = { path: "code", kind: "code", system: "toolwright", ofProject: false } as const;
    const found = named.map(({ name }): ToolFile => ({ file: fileOf(name), name, location }));
    return new CodeHosts(files, new InProcess({ ...at, values }), found);
  }

  async entries(): Promise<LoadedFile[]> {
    const manifests = await this.#code.load(this.#values.map((file) => toHostFile(file)));
    return this.#values.map((file, index) => {
      const manifest = manifests[index] as FileManifest;
      return { file, manifest, codeVersion: this.#code.current, problems: manifest.problems, off: false };
    });
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
    if (codeVersion !== this.#code.current) this.#files.retain(codeVersion);
  }

  release(codeVersion: CodeVersion): void {
    if (codeVersion !== this.#code.current) this.#files.release(codeVersion);
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
    this.#files.listen(listener);
    this.#code.listen(listener);
  }

  setToolboxInfo(toolboxInfo: ToolboxInfo): void {
    this.#files.setToolboxInfo(toolboxInfo);
    this.#code.setToolboxInfo(toolboxInfo);
  }

  previewsIn(sessionID: string): number {
    return this.#files.previewsIn(sessionID) + this.#code.previewsIn(sessionID);
  }

  discardPreviews(sessionID: string): void {
    this.#files.discardPreviews(sessionID);
    this.#code.discardPreviews(sessionID);
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
    const here = ref.file.file === PREVIEWS_FILE && this.#code.previewsIn(call.context.sessionID) > 0;
    return (here ? this.#code : this.#hostsOf(ref)).run(ref, call, port, signal);
  }

  async close(): Promise<void> {
    await Promise.all([this.#files.close(), this.#code.close()]);
  }

  #hostsOf({ file }: FileRef): Hosts {
    return file.place === "code" && file.file !== PREVIEWS_FILE ? this.#code : this.#files;
  }
}

function fileOf(name: string): string {
  return `code:${name}`;
}
