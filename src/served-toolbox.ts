import { join } from "node:path";
import { BUILTIN_NAMES, builtinEntries, isWanted } from "./builtin-tools.ts";
import type { Environment, Homes } from "./config/options.ts";
import type { SettingsWarning } from "./config/read-settings.ts";
import type { Settings } from "./config/settings.ts";
import type { ToolEvent } from "./core/events.ts";
import type { Problem } from "./core/problem.ts";
import type { SessionAction, SessionEvent, SessionSnapshot } from "./core/session.ts";
import { Delegations } from "./delegations.ts";
import type { Blocked } from "./discovery/discover.ts";
import type { ToolFile } from "./discovery/place.ts";
import type { Watched, Watching } from "./discovery/watch.ts";
import { Catalog, type CatalogEntry } from "./host/catalog.ts";
import type { Hosts } from "./host/hosts.ts";
import { type FileManifest, PENDING_FILE, RESOLVE } from "./host/manifest.ts";
import { ManifestCache } from "./host/manifest-cache.ts";
import { limitWarnings } from "./limit-warnings.ts";
import { allowedToolNames, type McpServerConfig, toMcpServerConfig } from "./mcp-server-config.ts";
import { assemblePipeline, type Pipeline } from "./pipeline/assemble.ts";
import type { CallRequest, Run } from "./pipeline/call.ts";
import type { Explained } from "./pipeline/explain.ts";
import { Grants } from "./pipeline/grants.ts";
import type { NeedOptions } from "./pipeline/needs.ts";
import { createRemember } from "./pipeline/remember.ts";
import { couldHold } from "./pipeline/resolve.ts";
import { shownTools } from "./pipeline/shown-tools.ts";
import { Recorder } from "./recorder.ts";
import type { Shadowed, ToolInfo } from "./registry/entry.ts";
import { Registry } from "./registry/registry.ts";
import { isDisabled, resolveNames } from "./registry/resolve-names.ts";
import { renderTool } from "./render-tool.ts";
import { resolveEntry } from "./resolve-entry.ts";
import { Sessions } from "./sessions.ts";
import { type Survey, settingsPlaces } from "./survey.ts";
import type {
  AgentView,
  Attachment,
  DrawRequest,
  FileInfo,
  Report,
  SessionStart,
  Toolbox,
  ToolboxOptions,
  UIContext,
  View,
} from "./toolbox.ts";
import { UiCalls } from "./ui-calls.ts";

/** What it is made of. */
export interface Parts {
  readonly options: ToolboxOptions;
  readonly directory: string;
  readonly env: Environment;
  readonly hosts: Hosts;
  /** The tools that were given as values. */
  readonly given: readonly CatalogEntry[];
  readonly look: () => Survey;
  readonly logListeners: Set<(text: string) => void>;
}

/** The tools of one directory, served: whatever a surface asks for is put together here, and nowhere else. */
export class ServedToolbox implements Toolbox {
  readonly #parts: Parts;
  readonly #registry: Registry;
  readonly #catalog: Catalog;
  readonly #recorder: Recorder;
  readonly #pipeline: Pipeline;
  readonly #sessions: Sessions;
  readonly #delegations: Delegations;
  readonly #builtins: readonly CatalogEntry[];
  readonly #ui = new UiCalls();
  #entries: readonly CatalogEntry[] = [];
  #given: readonly CatalogEntry[];
  #found: Survey;
  readonly #watching = new Set<Watching>();
  #closed = false;
  #surrounded = false;
  /** Reloads happen one after another: two at once would fight over the hosts. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts, found: Survey) {
    this.#parts = parts;
    this.#found = found;
    this.#given = parts.given;
    this.#registry = new Registry([resolveEntry(parts.hosts.current)]);
    this.#catalog = new Catalog(parts.hosts, new ManifestCache(found.homes.cache), parts.directory);
    this.#sessions = new Sessions(parts.hosts, () => this.#entries);
    const workspace = found.discovered.project.root;
    const at = { directory: parts.directory, workspace };
    this.#builtins = builtinEntries(parts.options.builtins ?? !parts.options.onlyGiven, at, parts.hosts.steady);
    const state: NeedOptions["state"] = {
      get: (sessionID, key) => this.#sessions.kept(sessionID, key),
      set: (sessionID, key, value) => this.#sessions.act(sessionID, { type: "state", key, value }),
    };
    this.#delegations = new Delegations({
      agents: parts.options.agents,
      call: (request) => this.call(request),
      shown: (agent, sessionID) => this.enabled(agent, sessionID).filter(({ subagents = true }) => subagents),
      state,
    });
    this.#recorder = new Recorder(found.homes.toolwrightHome, parts.env, () => this.settings);
    const grants = new Grants();
    const settingsFile = settingsPlaces(found).user;
    this.#pipeline = assemblePipeline({
      directory: parts.directory,
      root: workspace,
      home: found.homes.home,
      outputsRoot: found.homes.toolwrightHome,
      registry: this.#registry,
      hosts: parts.hosts,
      settings: () => this.settings,
      toolPlaces: () => this.#found.discovered.possible,
      blocked: () => this.blocked(),
      isClosed: () => this.#closed,
      approve: this.#delegations.asking(parts.options.approve),
      callerIsAsked: parts.options.callerIsAsked ?? true,
      agentsOf: (sessionID, agent) => this.#delegations.agentsOf(sessionID, agent),
      granted: (sessionID) => grants.of(this.#delegations.sessionsOf(sessionID)),
      remember: createRemember({
        grants,
        settingsFile,
        added: (rules) => this.#addRules(rules),
        failed: (message) => this.#warn({ file: settingsFile, message }),
      }),
      settingsFile,
      hooks: parts.options.hooks,
      env: parts.env,
      onEvent: (event, request) => this.#recorder.record(event, request.input),
      session: (sessionID, given) => this.#sessions.snapshot(sessionID, given),
      hookFiles: () => this.#sessions.hookFiles(),
      state,
      delegate: (call, work) => this.#delegations.delegate(call, work),
      ui: (request, call) => this.#ui.call(request, call),
      followDialogs: (call) => this.#ui.follow(call.context.callID, call),
    });
    parts.hosts.listen({
      depends: (file, imports) => this.#depends(file, imports),
      changed: (manifest) => this.#changed(manifest),
      act: (sessionID, action) => this.#sessions.act(sessionID, action),
      pending: () => this.#registry.touch(),
      ui: (request) => this.#ui.call(request),
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

  list({ sessionID = "default", agent }: View = {}): readonly ToolInfo[] {
    if (agent !== undefined) return this.enabled(agent, sessionID);
    const tools = this.#registry.list(this.#parts.hosts.pendingIn(sessionID) > 0 ? [RESOLVE.name] : []);
    const active = this.#sessions.activeTools(sessionID);
    return active ? tools.filter(({ name, file }) => active.includes(name) || file === PENDING_FILE) : tools;
  }

  enabled(agent = "", sessionID = "default"): readonly ToolInfo[] {
    const agents = this.#delegations.agentsOf(sessionID, agent);
    return shownTools(this.list({ sessionID }), this.settings, { agents });
  }

  tools(provider: string, agent = "", sessionID = "default"): readonly ToolInfo[] {
    const agents = this.#delegations.agentsOf(sessionID, agent);
    return shownTools(this.list({ sessionID }), this.settings, { agents, provider });
  }

  files(): readonly FileInfo[] {
    return this.#entries
      .filter(({ file }) => !file.place.builtin)
      .map(({ manifest: { file, tools, about, runtime } }) => ({
        file,
        tools: tools.map(({ name }) => name),
        ...(about ? { about } : {}),
        ...(runtime ? { runtime } : {}),
      }));
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
    const file = join(this.homes.toolwrightHome, "settings.json");
    return [...this.#found.warnings, ...limitWarnings(this.settings, (name) => this.get(name), file)];
  }

  call(request: CallRequest): Run {
    const run = this.#pipeline.call(request);
    this.#sessions.follow(request.sessionID ?? "default", run);
    return run;
  }

  explain(request: CallRequest): Promise<Explained> {
    return this.#pipeline.explain(request);
  }

  /** The first look has been taken already, by whoever made this. */
  begin(): Promise<Report> {
    const { verify = false } = this.#parts.options;
    return this.#inTurn(() => this.#read({ verify }));
  }

  reload(): Promise<Report> {
    return this.#inTurn(() => this.#again({ again: true }));
  }

  verify(): Promise<Report> {
    return this.#inTurn(() => this.#read({ verify: true }));
  }

  async startSession(sessionID: string, { resumed = false, ...session }: SessionStart = {}): Promise<Report> {
    await this.reload();
    await this.tellSession(sessionID, { reason: "start", resumed }, session);
    this.#registry.snapshot(sessionID);
    return this.#report();
  }

  async tellSession(sessionID: string, event: SessionEvent, session?: Omit<SessionSnapshot, "id">): Promise<void> {
    await this.#sessions.tell(sessionID, event, session);
    // Whoever registers tools on an event has done so by now.
    await this.#turn;
  }

  onSessionAction(listener: (sessionID: string, action: SessionAction) => void): () => void {
    return this.#sessions.onAction(listener);
  }

  setUIContext(ui: UIContext | undefined): void {
    this.#ui.attach(ui);
    this.#surround();
  }

  render(request: DrawRequest): Promise<readonly string[] | undefined> {
    const found = this.#registry.lookup(request.name);
    const { hosts } = this.#parts;
    if (found.kind !== "found") return Promise.resolve(undefined);
    return renderTool(hosts, found.entry, request, this.settings.limits.importMs);
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

  async attachmentLine(part: Attachment, call: { sessionID: string; callID: string }): Promise<string> {
    const { attachmentLine } = await import("./output/attachment-line.ts");
    return attachmentLine(part, join(this.homes.toolwrightHome, "outputs"), call);
  }

  toMcpServerConfig(view?: AgentView): McpServerConfig {
    return toMcpServerConfig(this.#forAgent(view), this);
  }

  allowedToolNames(view?: AgentView): readonly string[] {
    return allowedToolNames(this.#forAgent(view));
  }

  #forAgent({ builtins = false, agent }: AgentView = {}): ToolInfo[] {
    return this.enabled(agent).filter(({ name, source }) => source !== "builtin" || isWanted(name, builtins));
  }

  onChange(listener: () => void): () => void {
    return this.#registry.onChange(listener);
  }

  onEvent(listener: (event: ToolEvent) => void): () => void {
    return this.#recorder.onEvent(listener);
  }

  onLog(listener: (text: string) => void): () => void {
    this.#parts.logListeners.add(listener);
    return () => void this.#parts.logListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#watching].map((watching) => watching.stop()));
    await this.#parts.hosts.close();
    this.#recorder.flush();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** In force at once; the next look at the disk finds them in the file. */
  #addRules(rules: Settings["permissions"]["user"]): void {
    const { permissions } = this.settings;
    const user = [...permissions.user, ...rules];
    this.#found = { ...this.#found, settings: { ...this.settings, permissions: { ...permissions, user } } };
  }

  #warn(warning: SettingsWarning): void {
    this.#found = { ...this.#found, warnings: [...this.#found.warnings, warning] };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn;
    return turn;
  }

  /** With `again`, files that failed are tried once more even though nothing about them has changed. */
  async #again(options: { again?: boolean }): Promise<Report> {
    if (this.#closed) return this.#report();
    this.#found = this.#parts.look();
    return this.#read(options);
  }

  #watched(): Watched {
    const { possible, watched } = this.#found.discovered;
    const settings = Object.values(settingsPlaces(this.#found));
    const trust = join(this.homes.toolwrightHome, "trust.json");
    return { folders: possible, files: [...this.#catalog.dependencies(), ...watched, ...settings, trust] };
  }

  async #read(options: { again?: boolean; verify?: boolean }): Promise<Report> {
    const isOff = (file: ToolFile): boolean => this.#isOff(file);
    const entries = await this.#catalog.read(this.#found.discovered.files, { ...options, isOff });
    this.#serve(entries);
    return this.#report();
  }

  #report(): Report {
    return { tools: this.#registry.count, problems: this.problems() };
  }

  #isOff(file: ToolFile): boolean {
    return isDisabled(file.name, { file }, this.settings.tools.disabled, BUILTIN_NAMES);
  }

  #serve(files: readonly CatalogEntry[]): void {
    const { disabled, override } = this.settings.tools;
    this.#entries = [...this.#given, ...this.#builtins, ...files];
    this.#registry.replace(resolveNames(this.#entries, { disabled, override, builtins: BUILTIN_NAMES }));
    this.#surround();
  }

  /** Only what a function of the author's has made can ask for the tools around it. */
  #surround(): void {
    const asks = this.#entries.some(({ manifest }) => manifest.madeFor !== undefined);
    if (!asks && !this.#ui.isAttached && !this.#surrounded) return;
    this.#surrounded = true;
    const tools = asks
      ? this.#registry
          .list()
          .filter(({ enabled }) => enabled)
          .map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema }))
      : [];
    this.#parts.hosts.surround({ hasUI: this.#ui.isAttached, tools });
  }

  #depends(file: string, imports: FileManifest["imports"]): void {
    this.#catalog.depends(file, imports);
    for (const watching of this.#watching) watching.refresh();
  }

  /** In turn, since a reload that is under way would undo it. */
  #changed(manifest: FileManifest): void {
    void this.#inTurn(async () => {
      if (!this.#catalog.changed(manifest) && !this.#givenChanged(manifest)) return;
      this.#serve(this.#catalog.entries(this.#found.discovered.files, (file) => this.#isOff(file)));
    });
  }

  /** A value that was given has other tools than it said. */
  #givenChanged(manifest: FileManifest): boolean {
    const isGiven = this.#given.some(({ file }) => file.file === manifest.file);
    if (!isGiven) return false;
    const { problems } = manifest;
    this.#given = this.#given.map((entry) =>
      entry.file.file === manifest.file ? { ...entry, manifest, problems } : entry,
    );
    return true;
  }
}
