import { readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { EXTENSION_MARK } from "../../core/agent-extension.ts";
import { messageOf } from "../../core/error.ts";
import type { Problem } from "../../core/problem.ts";
import { stampOf } from "../../platform/files/stamp.ts";
import { textOrEmpty } from "../../platform/files/text-or-empty.ts";
import type { Contributions, ExportProblem, FormatHost, ModuleFile } from "../formats/contributions.ts";
import type { ImportScope } from "../formats/mcp-module/import-scope.ts";
import { mentionsServer } from "../formats/mcp-module/starts-server.ts";
import { EFFECT_PLUGIN, isEffectPlugin } from "../formats/opencode/effect-plugin.ts";
import type { Loader } from "../loader/loader.ts";
import { exportLine } from "../protocol/export-line.ts";
import { whileReading } from "../protocol/files-being-read.ts";
import { tooSlow } from "../protocol/load-problems.ts";
import { contentOf, type FileManifest, type HostFile } from "../protocol/manifest.ts";
import { mentionsHook } from "../protocol/names-hook.ts";

export interface ReaderOptions {
  readonly importMs: number;
  /** Tools as values, by the name of the file that they replace. */
  readonly values?: ReadonlyMap<string, unknown>;
  /** The advice in the problem of a file that needs Bun. By default: install Bun. */
  readonly needsBun?: string;
  /** Whether a file that turns out to need Bun is loaded again in Bun. */
  readonly canMoveToBun?: boolean;
}

/** The result of reading a file. */
interface Read {
  readonly from: Contributions;
  readonly problems: readonly Problem[];
  /** Files that were read beside the imports, with their stamps at that time: an edit since then must be noticed. */
  readonly reads: FileManifest["imports"];
  readonly transientFailure?: FileManifest["transientFailure"];
}

/** Reads tool files of every kind. The code for a kind is loaded with the first file of that kind. */
export class ToolFileReader {
  readonly #importMs: number;
  readonly #needsBun: string | undefined;
  readonly #canMoveToBun: boolean;
  readonly #host: FormatHost;
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #modules = new Set<string>();
  #loading: Promise<Loader> | undefined;
  #loader: Loader | undefined;

  constructor(options: ReaderOptions, host: FormatHost) {
    this.#importMs = options.importMs;
    this.#needsBun = options.needsBun;
    this.#canMoveToBun = options.canMoveToBun ?? false;
    this.#host = host;
    this.#values = options.values ?? new Map();
  }

  /** The number of all imports. */
  get edges(): number {
    return this.#loader?.edges ?? 0;
  }

  /** Never rejects: errors become problems. */
  async read(file: HostFile): Promise<Read> {
    const configs = file.opencodePlugin?.configs ?? [];
    try {
      const read = (): Promise<Contributions> => this.#withinTime(this.#read(file));
      // An MCP server has its own time limit.
      const from = await (file.server ? this.#read(file) : whileReading(file.file, process.env, read));
      return { from, problems: this.problemsOf(file, from), reads: stamped([...(from.reads ?? []), ...configs]) };
    } catch (error) {
      const nothing = { from: { tools: [], problems: [] }, reads: stamped(configs) };
      if (error instanceof TooSlow) return { ...nothing, problems: [tooSlow(file.file, this.#importMs)] };
      return { ...nothing, ...(await why(file, error, this.#needsBun)) };
    }
  }

  /** The path of a file that was loaded as an author's module; undefined for other files. */
  moduleAt(file: string): string | undefined {
    return this.#modules.has(file) ? file : undefined;
  }

  /** The current problems: some files register tools later. */
  problemsOf({ file }: HostFile, from: Contributions): readonly Problem[] {
    return withLines(file, from.problems);
  }

  /** The imports of a file, itself first. */
  importsOf({ file, server }: HostFile): FileManifest["imports"] {
    return server ? [] : this.#imported(file);
  }

  close(): void {
    this.#loader?.close();
  }

  async #read(file: HostFile): Promise<Contributions> {
    const at: ModuleFile = { ...file, path: file.file };
    if (file.server) {
      const { readMcpServer } = await import("../formats/mcp/read-mcp-server.ts");
      return readMcpServer({ ...at, server: file.server }, this.#host);
    }
    const content = contentOf(file);
    if (content === "json") {
      const { readJsonFile } = await import("../formats/json/read-json-file.ts");
      return readJsonFile(at, this.#host);
    }
    const { readModule } = await import("../formats/read-module.ts");
    if (this.#values.has(file.file)) {
      return readModule({ default: this.#values.get(file.file) }, at, { host: this.#host, source: "" });
    }
    if (content === "builtin") {
      const module: unknown = await import(/* @vite-ignore */ pathToFileURL(file.file).href);
      return readModule(module as Record<string, unknown>, at, { host: this.#host, source: "" });
    }
    // Opening a pipe would block the process.
    if (!statSync(file.file).isFile()) return { tools: [], problems: [notAFile(file.file)] };
    const source = readFileSync(file.file, "utf8");
    if (source.includes(EXTENSION_MARK)) return { tools: [], problems: [] };
    if (isEffectPlugin(source)) return { tools: [], problems: [effectPlugin(file.file)] };
    // One loader for all files, also while it is being created.
    this.#loading ??= createLoader(this.#canMoveToBun);
    this.#loader = await this.#loading;
    this.#modules.add(file.file);
    const loader = this.#loader;
    const imports = (): string[] => this.#imported(file.file).map(([path]) => path);
    const scope = await scopeFor(file.file, source);
    const load = (): Promise<Record<string, unknown>> => loader.load(file.file);
    const module = await (scope ? scope.run(load) : load());
    const registersHook = (): boolean => mentionsHook(file.file) === "registers";
    const from = await readModule(module, at, { host: this.#host, source, imports, registersHook, scope });
    await untilHooksAreRegistered(from, file.file);
    return from;
  }

  #imported(file: string): FileManifest["imports"] {
    try {
      if (this.#loader && this.#modules.has(file)) return this.#loader.importsOf(file);
    } catch {
      // The file does not exist.
    }
    return [[file, stampOf(file)]];
  }

  /**
   * Limits imports that wait. An import that blocks is killed by the serving process. The time counts in steps of the event loop:
   * time in which another file, or a busy machine, holds up this file does not count.
   */
  async #withinTime<T>(reading: Promise<T>): Promise<T> {
    const { promise: elapsed, reject } = Promise.withResolvers<never>();
    const stepMs = Math.min(STEP_MS, this.#importMs);
    let left = this.#importMs;
    const timer = setInterval(() => {
      left -= stepMs;
      if (left <= 0) reject(new TooSlow());
    }, stepMs);
    try {
      return await Promise.race([reading, elapsed]);
    } finally {
      clearInterval(timer);
    }
  }
}

const STEP_MS = 100;

/** The scope for the import of a file that may start an MCP server. */
async function scopeFor(file: string, source: string): Promise<ImportScope | undefined> {
  const mentioned = mentionsServer(file, source);
  if (mentioned === undefined) return undefined;
  const { ImportScope } = await import("../formats/mcp-module/import-scope.ts");
  return new ImportScope(file, mentioned === "starts");
}

/** How long a file that names a hook may take to register it after its function has returned. */
const LATE_HOOK_MS = 300;

/** Functions of authors may register a hook later, without a promise that could be awaited. */
async function untilHooksAreRegistered(from: Contributions, file: string): Promise<void> {
  if (from.hooks || !(from.onSession || from.onChange) || mentionsHook(file) !== "registers") return;
  for (let waited = 0; waited < LATE_HOOK_MS && !from.hooks; waited += 10) await sleep(10);
}

class TooSlow extends Error {}

function stamped(paths: readonly string[]): FileManifest["imports"] {
  return paths.map((path) => [path, stampOf(path)] as const);
}

function notAFile(file: string): ExportProblem {
  return { file, code: "unreadable", message: "It is not a file. Replace it by one, or delete it." };
}

/** Reported without an import: the file would fail for lack of the package `effect`. */
function effectPlugin(file: string): ExportProblem {
  return { file, code: "bad_definition", message: EFFECT_PLUGIN };
}

/** Bun loads TypeScript itself, and has no module hooks like Node's. */
async function createLoader(canMoveToBun: boolean): Promise<Loader> {
  if ("bun" in process.versions) return (await import("../loader/bun.ts")).createBunLoader();
  return (await import("../loader/node-hooks.ts")).createLoader({ canMoveToBun });
}

async function why(
  file: HostFile,
  error: unknown,
  needsBun: string | undefined,
): Promise<Pick<Read, "problems" | "transientFailure">> {
  try {
    const { explain, transientFailure } = await import("../loader/explain-error.ts");
    const problem = explain(file.file, error, needsBun);
    const cause = contentOf(file) === "module" ? transientFailure(error, problem) : undefined;
    return { problems: [problem], ...(cause ? { transientFailure: cause } : {}) };
  } catch {
    const problem = { file: file.file, code: "unreadable", message: `It cannot be read: ${messageOf(error)}` } as const;
    // The file is readable, so another file in this process may be the cause.
    const isOther = contentOf(file) === "module" && textOrEmpty(file.file) !== "";
    return { problems: [problem], ...(isOther ? { transientFailure: "threw" } : {}) };
  }
}

/** Adds the line of the export that a problem names. */
function withLines(file: string, problems: readonly ExportProblem[]): Problem[] {
  if (problems.length === 0) return [];
  const source = problems.some(({ exportName }) => exportName !== undefined) ? textOrEmpty(file) : "";
  return problems.map(({ exportName, ...problem }) => {
    const line = exportName === undefined ? undefined : exportLine(source, exportName);
    return line === undefined ? problem : { ...problem, line };
  });
}
