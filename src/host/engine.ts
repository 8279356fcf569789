import { readFileSync } from "node:fs";
import { messageOf } from "../core/error.ts";
import { exportLine } from "../core/export-line.ts";
import type { Problem } from "../core/problem.ts";
import type { Access, Tool } from "../core/tool.ts";
import type { ExportProblem } from "../formats/module.ts";
import { fromToolExports } from "../formats/tool.ts";
import { explain } from "../loader/explain.ts";
import { createLoader, type Loader } from "../loader/hooks.ts";
import { stampOf } from "../loader/stamp.ts";
import { verifySchema } from "../schema/verify-schema.ts";
import { bounded } from "./bounded-issues.ts";
import { type CallPort, runCall } from "./call.ts";
import { type FileManifest, type HostFile, toManifest } from "./manifest.ts";
import { tooSlow } from "./problems.ts";
import type { HostCall, HostResult, Prepared, Target } from "./protocol.ts";

interface Loaded {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly manifest: FileManifest;
}

/** Where authors' code lives: loads files and runs their tools, in whichever process it is made in. */
export class Engine {
  readonly #loader: Loader = createLoader();
  readonly #importMs: number;
  readonly #files = new Map<string, Promise<Loaded>>();
  /** What was last said of each file, and how many imports there were in all when it was said. */
  readonly #reported = new Map<string, { imports: number; edges: number }>();

  constructor(options: { importMs: number }) {
    this.#importMs = options.importMs;
  }

  /** Imports a file once; whatever goes wrong is in the manifest's problems. Never rejects. */
  async load(file: HostFile, options: { verify: boolean } = { verify: false }): Promise<FileManifest> {
    let loading = this.#files.get(file.file);
    if (!loading) {
      loading = this.#import(file);
      this.#files.set(file.file, loading);
    }
    const loaded = await loading;
    return options.verify ? { ...loaded.manifest, problems: await verified(loaded) } : loaded.manifest;
  }

  /** Checks an input and asks the tool what it would touch. Never rejects. */
  async prepare(target: Target, input: unknown, cwd: string): Promise<Prepared> {
    const tool = await this.#find(target);
    if (!tool) return { kind: "failed", message: absent(target) };
    try {
      const checked = await tool.input.check(input);
      if (!checked.ok) return { kind: "invalid", issues: bounded(checked.issues) };
      const access = tool.access?.(checked.value, { cwd }) ?? ["undeclared"];
      return { kind: "prepared", access: access.map(plainAccess) };
    } catch (error) {
      return { kind: "failed", message: messageOf(error) };
    }
  }

  /** Runs a tool of a loaded file. Never rejects. */
  async run(call: HostCall, signal: AbortSignal, port: CallPort): Promise<HostResult> {
    const tool = await this.#find(call);
    if (!tool) return { ok: false, code: "unknown_tool", message: absent(call), content: [] };
    return runCall(tool, call, signal, port);
  }

  /** What a file depends on, when that has become more since it was last said; else undefined. */
  newImportsOf(file: string): FileManifest["imports"] | undefined {
    const known = this.#reported.get(file);
    if (known?.edges === this.#loader.edges) return undefined;
    const imports = this.#importsOf(file);
    this.#report(file, imports.length);
    return imports.length > (known?.imports ?? 0) ? imports : undefined;
  }

  close(): void {
    this.#loader.close();
  }

  async #find(target: Target): Promise<Tool | undefined> {
    return (await this.#files.get(target.file))?.tools.get(target.tool);
  }

  async #import(file: HostFile): Promise<Loaded> {
    try {
      const module = await this.#withinTime(this.#loader.load(file.file));
      const found = await fromToolExports(module, { ...file, path: file.file });
      return this.#loaded(file, found.tools, withLines(file.file, found.problems));
    } catch (error) {
      return this.#loaded(file, [], [error instanceof ImportTimeout ? tooSlow(file.file, error.ms) : why(file, error)]);
    }
  }

  #loaded(file: HostFile, tools: readonly Tool[], problems: readonly Problem[]): Loaded {
    const imports = this.#importsOf(file.file);
    this.#report(file.file, imports.length);
    return {
      tools: new Map(tools.map((tool) => [tool.name, tool])),
      manifest: { file: file.file, tools: tools.map(toManifest), problems, imports },
    };
  }

  #report(file: string, imports: number): void {
    this.#reported.set(file, { imports, edges: this.#loader.edges });
  }

  #importsOf(file: string): FileManifest["imports"] {
    try {
      return this.#loader.importsOf(file);
    } catch {
      return [[file, stampOf(file)]];
    }
  }

  /** Only for a top-level await that hangs: a loop that blocks is noticed from outside. */
  #withinTime<T>(importing: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new ImportTimeout(this.#importMs)), this.#importMs);
      importing.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}

class ImportTimeout extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super();
    this.ms = ms;
  }
}

function why(file: HostFile, error: unknown): Problem {
  try {
    return explain(file.file, error);
  } catch {
    return { file: file.file, code: "unreadable", message: `It cannot be read: ${messageOf(error)}` };
  }
}

/** An author's object may hold anything beside what counts. */
function plainAccess(access: Access): Access {
  return access === "undeclared" ? access : { kind: access.kind, target: access.target };
}

function absent(target: Target): string {
  return `"${target.tool}" is no longer in ${target.file}. List the tools again.`;
}

async function verified(loaded: Loaded): Promise<readonly Problem[]> {
  const problems = [...loaded.manifest.problems];
  for (const tool of loaded.tools.values()) {
    const reason = await verifySchema(tool.input);
    if (reason) problems.push({ file: loaded.manifest.file, code: "bad_schema", message: reason, tool: tool.name });
  }
  return problems;
}

/** Formats know which export is at fault; where that export stands is in the source. */
function withLines(file: string, problems: readonly ExportProblem[]): Problem[] {
  if (problems.length === 0) return [];
  const source = readFileSync(file, "utf8");
  return problems.map(({ exportName, ...problem }) => {
    const line = exportName === undefined ? undefined : exportLine(source, exportName);
    return line === undefined ? problem : { ...problem, line };
  });
}
