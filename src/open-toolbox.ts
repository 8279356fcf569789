import { join, resolve } from "node:path";
import type { Environment, Homes } from "./config/options.ts";
import type { SettingsWarning } from "./config/read-settings.ts";
import type { Settings } from "./config/settings.ts";
import type { ToolEvent } from "./core/events.ts";
import { notify } from "./core/notify.ts";
import type { Problem } from "./core/problem.ts";
import type { Truncated } from "./core/result.ts";
import { matchText } from "./core/wildcard.ts";
import type { Blocked } from "./discovery/discover.ts";
import type { ToolFile } from "./discovery/place.ts";
import type { Watched, Watching } from "./discovery/watch.ts";
import { Catalog } from "./host/catalog.ts";
import type { Hosts } from "./host/hosts.ts";
import { LogFile } from "./host/log-file.ts";
import { ManifestCache } from "./host/manifest-cache.ts";
import { nodeRuntime } from "./host/runtime.ts";
import { Supervisor } from "./host/supervisor.ts";
import { allowedToolNames, type McpServerConfig, toMcpServerConfig } from "./mcp-server-config.ts";
import { assemblePipeline } from "./pipeline/assemble.ts";
import { AuditLog } from "./pipeline/audit.ts";
import type { CallRequest, Run } from "./pipeline/call.ts";
import { createMask, type Mask } from "./pipeline/mask.ts";
import { couldHold } from "./pipeline/resolve.ts";
import type { Shadowed, ToolInfo } from "./registry/entry.ts";
import { Registry } from "./registry/registry.ts";
import { resolveNames } from "./registry/resolve-names.ts";
import { type Survey, survey } from "./survey.ts";
import type { Report, Toolbox, ToolboxOptions } from "./toolbox.ts";

/** Finds, checks and serves tools for a directory. Never rejects because of a tool file. */
export async function openToolbox(options: ToolboxOptions = {}): Promise<Toolbox> {
  const directory = resolve(options.cwd ?? process.cwd());
  const { env = process.env, toolsPaths = [], trust = false } = options;
  const look = (): Survey => withLimits(survey({ cwd: directory, env, toolsPaths, trust }), options.limits);
  const found = look();
  const log = new LogFile(join(found.homes.toolwrightHome, "logs", "tools.log"));
  const listeners = new Set<(text: string) => void>();
  const hosts = await createHosts(directory, env, found.settings, options, (text) => {
    log.write(text);
    for (const listener of [...listeners]) notify(listener, text);
  });
  const toolbox = new OpenToolbox({ options, directory, env, hosts, look, logListeners: listeners }, found);
  await toolbox.begin();
  return toolbox;
}

/** What the options say of limits stands over every settings file. */
function withLimits(seen: Survey, limits: ToolboxOptions["limits"]): Survey {
  return { ...seen, settings: { ...seen.settings, limits: { ...seen.settings.limits, ...limits } } };
}

async function createHosts(
  cwd: string,
  env: Environment,
  settings: Settings,
  options: ToolboxOptions,
  log: (text: string) => void,
): Promise<Hosts> {
  const { importMs, memoryMb } = settings.limits;
  const isolation = options.isolation ?? settings.isolation;
  if (isolation !== "none") {
    return new Supervisor({ runtime: nodeRuntime(memoryMb), cwd, env, importMs, memoryMb, log, isolation });
  }
  const { InProcess } = await import("./host/in-process.ts");
  return new InProcess({ importMs });
}

/** How often old outputs are looked for, at most. */
const SWEEP_EVERY_MS = 10 * 60_000;

/** What an open toolbox is made of. */
interface Parts {
  readonly options: ToolboxOptions;
  readonly directory: string;
  readonly env: Environment;
  readonly hosts: Hosts;
  readonly look: () => Survey;
  readonly logListeners: Set<(text: string) => void>;
}

class OpenToolbox implements Toolbox {
  readonly #parts: Parts;
  readonly #registry = new Registry();
  readonly #catalog: Catalog;
  readonly #audit: AuditLog;
  readonly #pipeline: (request: CallRequest) => Run;
  readonly #eventListeners = new Set<(event: ToolEvent) => void>();
  #found: Survey;
  readonly #watching = new Set<Watching>();
  #sweptAt = Number.NEGATIVE_INFINITY;
  #spilledBytes = 0;
  #masking: { settings: Settings; mask: Mask } | undefined;
  #closed = false;
  /** Reloads happen one after another: two at once would fight over the hosts. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts, found: Survey) {
    this.#parts = parts;
    this.#found = found;
    this.#catalog = new Catalog(parts.hosts, new ManifestCache(found.homes.cache));
    this.#audit = new AuditLog(join(found.homes.toolwrightHome, "audit.log"), () => this.#mask());
    this.#pipeline = assemblePipeline({
      directory: parts.directory,
      root: found.discovered.project.root,
      outputsRoot: found.homes.toolwrightHome,
      registry: this.#registry,
      hosts: parts.hosts,
      settings: () => this.settings,
      blocked: () => this.blocked(),
      isClosed: () => this.#closed,
      approve: parts.options.approve,
      callerIsAsked: parts.options.callerIsAsked ?? true,
      onEvent: (event, request) => this.#onEvent(event, request),
    });
  }

  get directory(): string {
    return this.#parts.directory;
  }

  get project(): Toolbox["project"] {
    return this.#found.discovered.project;
  }

  get homes(): Homes {
    return this.#found.homes;
  }

  get settings(): Settings {
    return this.#found.settings;
  }

  list(): readonly ToolInfo[] {
    return this.#registry.list();
  }

  get(name: string): ToolInfo | undefined {
    return this.#registry.get(name);
  }

  has(name: string): boolean {
    return this.#registry.has(name);
  }

  get count(): number {
    return this.#registry.count;
  }

  async find(name: string): Promise<ToolInfo | undefined> {
    const known = this.get(name);
    if (known || !this.problems().some(({ file }) => couldHold(file, name))) return known;
    await this.reload();
    return this.get(name);
  }

  problems(): readonly Problem[] {
    return [...this.#found.discovered.problems, ...this.#registry.problems];
  }

  shadowed(): readonly Shadowed[] {
    return this.#registry.shadowed;
  }

  blocked(): readonly Blocked[] {
    return this.#found.discovered.blocked;
  }

  warnings(): readonly SettingsWarning[] {
    return this.#found.warnings;
  }

  call(request: CallRequest): Run {
    return this.#pipeline(request);
  }

  /** The first look has been taken already, by whoever made this. */
  begin(): Promise<Report> {
    this.#catalog.onDepends = () => {
      for (const watching of this.#watching) watching.refresh();
    };
    return this.#inTurn(() => this.#read({}));
  }

  reload(): Promise<Report> {
    return this.#inTurn(() => this.#again({ again: true }));
  }

  verify(): Promise<Report> {
    return this.#inTurn(() => this.#read({ verify: true }));
  }

  async startSession(sessionID: string): Promise<Report> {
    const report = await this.reload();
    this.#registry.snapshot(sessionID);
    return report;
  }

  async watch(): Promise<() => Promise<void>> {
    const { watchTools } = await import("./discovery/watch.ts");
    const watching = watchTools(
      () => this.#watched(),
      () => this.#inTurn(() => this.#again({})),
    );
    this.#watching.add(watching);
    return async () => {
      this.#watching.delete(watching);
      await watching.stop();
    };
  }

  toMcpServerConfig(): McpServerConfig {
    return toMcpServerConfig(this.list(), (request) => this.call(request));
  }

  allowedToolNames(): readonly string[] {
    return allowedToolNames(this.list());
  }

  onChange(listener: () => void): () => void {
    return this.#registry.onChange(listener);
  }

  onEvent(listener: (event: ToolEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => void this.#eventListeners.delete(listener);
  }

  onLog(listener: (text: string) => void): () => void {
    this.#parts.logListeners.add(listener);
    return () => void this.#parts.logListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#watching].map((watching) => watching.stop()));
    await this.#parts.hosts.close();
    this.#audit.flush();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn;
    return turn;
  }

  /** With `again`, files that failed are tried once more even though nothing about them has changed. */
  async #again(options: { again?: boolean }): Promise<Report> {
    if (this.#closed) return { tools: this.#registry.count, problems: this.problems() };
    this.#found = this.#parts.look();
    return this.#read(options);
  }

  #watched(): Watched {
    const { possible, project } = this.#found.discovered;
    const settings = [
      join(this.homes.toolwrightHome, "settings.json"),
      join(project.root, ".toolwright/settings.json"),
    ];
    const trust = join(this.homes.toolwrightHome, "trust.json");
    return { folders: possible, files: [...this.#catalog.dependencies(), ...settings, trust] };
  }

  async #read(options: { again?: boolean; verify?: boolean }): Promise<Report> {
    const { disabled, override } = this.settings.tools;
    const isOff = ({ name }: ToolFile): boolean => disabled.some((pattern) => matchText(pattern, name));
    const entries = await this.#catalog.read(this.#found.discovered.files, { ...options, isOff });
    this.#registry.replace(resolveNames(entries, { disabled, override }));
    return { tools: this.#registry.count, problems: this.problems() };
  }

  #onEvent(event: ToolEvent, request: CallRequest): void {
    if (event.type === "tool.complete" || event.type === "tool.failed") this.#audit.record(event, request.input);
    for (const listener of [...this.#eventListeners]) notify(listener, event);
    if (event.type === "tool.complete" || event.type === "tool.failed") this.#sweep(event.result.notes.truncated);
  }

  #mask(): Mask {
    if (this.#masking?.settings !== this.settings) {
      this.#masking = { settings: this.settings, mask: secretsMask(this.#parts.env, this.settings) };
    }
    return this.#masking.mask;
  }

  /** Old outputs go now and then, and when a good part of their limit has come anew. Nobody waits for it. */
  #sweep(truncated: Truncated | undefined): void {
    const { keepDays, maxMb } = this.settings.outputs;
    this.#spilledBytes += truncated?.totalBytes ?? 0;
    const isDue = performance.now() - this.#sweptAt > SWEEP_EVERY_MS;
    if (!isDue && this.#spilledBytes < (maxMb * 1024 * 1024) / 10) return;
    this.#sweptAt = performance.now();
    this.#spilledBytes = 0;
    void import("./output/outputs.ts").then(({ sweepOutputs }) =>
      sweepOutputs(this.homes.toolwrightHome, { keepDays, maxMb, now: Date.now() }),
    );
  }
}

function secretsMask(env: Environment, settings: Settings): Mask {
  return createMask({ values: settings.secrets.flatMap((name) => env[name] ?? []) });
}
