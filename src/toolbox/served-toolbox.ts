import type { CallRequest, Run } from "../calls/call.ts";
import type { Explained } from "../calls/explanation.ts";
import { createPipeline, type Pipeline } from "../calls/pipeline.ts";
import type { Paths } from "../calls/pipeline-parts.ts";
import { Recorder } from "../calls/recorder.ts";
import { shownTools } from "../calls/shown-tools.ts";
import { CatalogStatus } from "../catalog/catalog-status.ts";
import { type InspectedProject, projectInfo, settingsPaths } from "../catalog/inspect-project.ts";
import type { Registry } from "../catalog/registry/registry.ts";
import { type RegistryEntry, type ToolInfo, toInfo } from "../catalog/registry/registry-entry.ts";
import { mayDefine } from "../catalog/registry/resolve-names.ts";
import { ToolCatalog } from "../catalog/tool-catalog.ts";
import { modeNamed } from "../core/permission-mode.ts";
import type { Problem } from "../core/problem.ts";
import { PREVIEWS_FILE, RESOLVE } from "../host/protocol/manifest.ts";
import { defined } from "../platform/values/defined.ts";
import { forwardAnswer } from "../sessions/forward-answer.ts";
import type { LocalSession } from "../sessions/local-session.ts";
import { SHARED_SESSION_ID } from "../sessions/log/session-id.ts";
import { OpenQuestions } from "../sessions/open-questions.ts";
import { SessionFiles } from "../sessions/session-files.ts";
import { Sessions } from "../sessions/sessions.ts";
import type { Settings } from "../settings/settings.ts";
import { AgentTasks } from "./agent-tasks.ts";
import { createCallScopes } from "./call-scopes.ts";
import { createSaveRules } from "./create-save-rules.ts";
import { FileCommands } from "./file-commands.ts";
import { openSessionStore, sessionsFile } from "./open-session-store.ts";
import { RegisteredTools } from "./registered-tools.ts";
import { renderTool } from "./render-tool.ts";
import { ServedSessions } from "./served-sessions.ts";
import { Delegations, type SubAgents } from "./sub-agents.ts";
import type {
  CommandInfo,
  CommandOutcome,
  CommandRequest,
  DrawRequest,
  ProjectInfo,
  Report,
  Toolbox,
  ToolboxEvents,
  ToolboxStatus,
  UIContext,
  View,
} from "./toolbox.ts";
import type { ToolboxParts } from "./toolbox-parts.ts";
import { UiRequests } from "./ui-requests.ts";

const NONE: ReadonlyMap<string, RegistryEntry> = new Map();

type Subscriptions = {
  readonly [E in keyof ToolboxEvents]: (listener: (payload: ToolboxEvents[E]) => void) => () => void;
};

/** What the parts of a toolbox are connected with. They use the toolbox only after it has been created. */
interface Wiring {
  readonly toolbox: ServedToolbox;
  readonly parts: ToolboxParts;
  readonly inspected: InspectedProject;
  readonly catalog: ToolCatalog;
  readonly sessions: Sessions;
}

/** The implementation of `Toolbox`. The only place that connects catalog, hosts, sessions and pipeline. */
export class ServedToolbox implements Toolbox {
  readonly status: ToolboxStatus;
  readonly sessions: ServedSessions;
  readonly #parts: ToolboxParts;
  readonly #catalog: ToolCatalog;
  readonly #recorder: Recorder;
  readonly #createPipeline: () => Pipeline;
  readonly #sessions: Sessions;
  readonly #sessionFiles: SessionFiles;
  readonly #delegations: Delegations;
  readonly #questions: OpenQuestions;
  readonly #ui: UiRequests;
  readonly #commands: FileCommands;
  #created: Pipeline | undefined;
  #project: { readonly of: InspectedProject; readonly info: ProjectInfo } | undefined;
  #hasSentToolboxInfo = false;

  constructor(parts: ToolboxParts, inspected: InspectedProject) {
    const { hosts, directory, env, options } = parts;
    const { toolwrightHome } = inspected.homes;
    const catalog = new ToolCatalog({ ...parts, onPublish: () => this.#setToolboxInfo() }, inspected);
    const warn = (message: string): void => catalog.warnNow({ file: sessionsFile(toolwrightHome), message });
    const sessions = new Sessions({
      directory,
      ...storeOptions(parts, catalog),
      answered: (event) => void this.#questions.settle(event.questionID, event),
      warn,
    });
    const files = new SessionFiles({ sessions, hosts, files: () => catalog.entries, warn });
    const wiring: Wiring = { toolbox: this, parts, inspected, catalog, sessions };
    const delegations = createDelegations(wiring);
    const questions = createQuestions(wiring, delegations);
    const ui = new UiRequests(questions);
    const recorder = new Recorder(
      toolwrightHome,
      env,
      () => catalog.settings,
      (event, caller) => sessions.recordCall(event, caller),
    );
    this.#parts = parts;
    this.#catalog = catalog;
    this.#sessions = sessions;
    this.#sessionFiles = files;
    this.#delegations = delegations;
    this.#questions = questions;
    this.#ui = ui;
    this.#recorder = recorder;
    this.#commands = new FileCommands({ hosts, directory, catalog, sessions, ui });
    this.status = new CatalogStatus(catalog, hosts);
    this.#createPipeline = () =>
      createPipeline({
        ...{ catalog, status: this.status, hosts, recorder, questions },
        paths: pathsOf(directory, inspected),
        sessionOf: (sessionID) => sessions.get(sessionID),
        scope: createCallScopes({
          ...{ catalog, sessions, sessionFiles: files, delegations, ui, env, runs: parts.runs },
          codeHooks: options.hooks,
          callerIsAsked: options.callerIsAsked ?? true,
          hasApprover: options.approve !== undefined,
        }),
      });
    const registered = new RegisteredTools(parts.code);
    this.sessions = new ServedSessions({
      ...{ toolbox: this, catalog, sessions, files, questions, ui, env },
      agents: options.agents,
      registeredTools: (agent) => registered.of(agent),
      permit: (call) => this.#pipeline.permit(call),
      ask: (call) => this.#pipeline.ask(call),
    });
    this.#listenToHosts();
  }

  get #registry(): Registry {
    return this.#catalog.registry;
  }

  get #settings(): Settings {
    return this.#catalog.settings;
  }

  /** Created for the first call: most programs that list tools make none. */
  get #pipeline(): Pipeline {
    this.#created ??= this.#createPipeline();
    return this.#created;
  }

  get project(): ProjectInfo {
    const { inspected } = this.#catalog;
    if (this.#project?.of !== inspected) {
      this.#project = { of: inspected, info: projectInfo(this.#parts.directory, inspected) };
    }
    return this.#project.info;
  }

  /** `registered` are tools of the agent: they take the place of tools of the same name. */
  list(
    { sessionID = SHARED_SESSION_ID, agent, provider }: View = {},
    registered: ReadonlyMap<string, RegistryEntry> = NONE,
  ): readonly ToolInfo[] {
    const session = this.#sessions.get(sessionID);
    const served = this.#listAll(session);
    const tools = registered.size === 0 ? served : withRegistered(served, registered);
    if (agent === undefined && provider === undefined) return tools;
    const agents = this.#delegations.agentsOf(session, agent ?? "");
    const denials = this.#delegations.denialsIn(session);
    return shownTools(tools, this.#settings, { agents, denials, ...defined({ provider }) });
  }

  #listAll({ id, state }: LocalSession): readonly ToolInfo[] {
    const tools = this.#registry.list(this.#parts.hosts.previewsIn(id) > 0 ? [RESOLVE.name] : []);
    const active = state.activeTools;
    return active ? tools.filter(({ name, file }) => active.includes(name) || file === PREVIEWS_FILE) : tools;
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
    await this.ready(name);
    const known = this.get(name);
    // Files that are being read now are not read again: a file that hangs would delay the answer.
    if (known || this.#catalog.isReading || !this.problems().some(({ file }) => mayDefine(file, name))) return known;
    await this.#catalog.reload({ name });
    return this.get(name);
  }

  problems(): readonly Problem[] {
    return this.#catalog.problems();
  }

  call(request: CallRequest): Run {
    const run = this.#pipeline.call(request);
    this.#sessions.track(request.sessionID ?? SHARED_SESSION_ID, run);
    return run;
  }

  commands(): readonly CommandInfo[] {
    return this.#commands.list();
  }

  async runCommand(request: CommandRequest): Promise<CommandOutcome> {
    await this.ready();
    return this.#commands.run(request);
  }

  explain(request: CallRequest): Promise<Explained> {
    return this.#pipeline.explain(request);
  }

  /** Reads the files of the first inspection. */
  begin(): Promise<Report> {
    const { verify = false } = this.#parts.options;
    return this.#catalog.begin({ verify });
  }

  ready(name?: string): Promise<void> | undefined {
    return this.#catalog.ready(name);
  }

  listable(ms: number): Promise<void> | undefined {
    return this.#catalog.listable(ms);
  }

  reload({ verify = false }: { readonly verify?: boolean } = {}): Promise<Report> {
    return this.#catalog.reload({ verify });
  }

  setUIContext(ui: UIContext | undefined): void {
    this.#ui.attach(ui);
    this.#setToolboxInfo();
  }

  render(request: DrawRequest): Promise<readonly string[] | undefined> {
    const found = this.#registry.lookup(request.name);
    if (found.kind !== "found") return Promise.resolve(undefined);
    return renderTool(this.#parts.hosts, found.entry, request, this.#settings.limits.importMs);
  }

  watch(): Promise<() => Promise<void>> {
    return this.#catalog.watch();
  }

  on<E extends keyof ToolboxEvents>(event: E, listener: (payload: ToolboxEvents[E]) => void): () => void {
    const subscribe: Subscriptions = {
      change: (changed) => this.#registry.onChange(() => changed(undefined)),
      call: (called) => this.#recorder.onEvent(called),
      audit: (audited) => this.#recorder.onAudit(audited),
      question: (asked) => this.#questions.onEvent(asked),
      log: (logged) => this.#parts.logs.listen(logged),
      queue: (moved) => this.sessions.onQueue(moved),
      notice: (noticed) => this.sessions.onNotice(noticed),
      session: (acted) => this.#sessionFiles.onAction(acted),
    };
    return subscribe[event](listener);
  }

  async close(): Promise<void> {
    this.#commands.close();
    await this.sessions.close();
    await Promise.all([this.#questions.close(), this.#catalog.close(), this.#parts.hosts.close()]);
    await this.#parts.runs.close();
    // Questions of calls that ended with their hosts.
    await this.#questions.close();
    await this.#sessions.close();
    this.#recorder.flush();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #listenToHosts(): void {
    const catalog = this.#catalog;
    this.#parts.hosts.listen({
      importsChanged: (file, imports) => catalog.addImports(file, imports),
      manifestChanged: (manifest) => catalog.updateManifest(manifest),
      sessionAction: (sessionID, action) => this.#sessionFiles.act(sessionID, action),
      importLasts: () => catalog.importLasts(),
      previewsChanged: () => catalog.registry.notifyListeners(),
      ui: (request) => this.#ui.call(request),
    });
  }

  /** Tells hosts whether there is a user interface, and which tools exist if a file can ask: only functions of authors can. */
  #setToolboxInfo(): void {
    const canAsk = this.#catalog.entries.some(({ manifest }) => manifest.onlyForDirectory !== undefined);
    const hasUI = this.#ui.isAttached();
    if (!canAsk && !hasUI && !this.#hasSentToolboxInfo) return;
    this.#hasSentToolboxInfo = true;
    const tools = canAsk
      ? this.#registry
          .list()
          .filter(({ enabled }) => enabled)
          .map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema }))
      : [];
    const views = this.#ui.showsViews() ? { hasViews: true as const } : {};
    this.#parts.hosts.setToolboxInfo({ hasUI, ...views, tools });
  }
}

/** How the store of the sessions is opened, and whether it is closed with them: one that was given is not. */
function storeOptions(
  { options: { sessions: store = "memory" } }: ToolboxParts,
  catalog: ToolCatalog,
): Pick<ConstructorParameters<typeof Sessions>[0], "openStore" | "closesStore"> {
  if (typeof store === "object") return { openStore: async () => store, closesStore: false };
  const { homes, discovered } = catalog.inspected;
  const location = { toolwrightHome: homes.toolwrightHome, root: discovered.project.root };
  return { openStore: () => openSessionStore(store, { ...location, settings: catalog.settings }), closesStore: true };
}

function createDelegations({ toolbox, parts: { options }, catalog, sessions }: Wiring): Delegations {
  const { agents } = options;
  const settings = (): Settings => catalog.settings;
  const tasks = (): SubAgents | undefined =>
    agents &&
    new AgentTasks({
      settings,
      sessions,
      modeOf: (sessionID) => {
        const session = sessions.get(sessionID);
        return delegations.modeOf(session, session.answerable || options.approve !== undefined);
      },
      run: (sessionID, prompt, taskOptions) => toolbox.sessions.send(sessionID, prompt, taskOptions),
      detach: (sessionID) => toolbox.sessions.detach(sessionID),
    });
  const delegations: Delegations = new Delegations({
    agents: options.subagents ?? tasks(),
    session: (id) => sessions.get(id),
    settings,
    namedMode: modeNamed(options.permissions?.mode),
    call: (request) => toolbox.call(request),
    shown: (agent, sessionID) => toolbox.list({ agent, sessionID }).filter(({ subagents = true }) => subagents),
  });
  return delegations;
}

function createQuestions({ toolbox, parts, inspected, sessions }: Wiring, delegations: Delegations): OpenQuestions {
  const saveRules = createSaveRules({
    file: settingsPaths(inspected).user,
    root: inspected.discovered.project.root,
    home: inspected.homes.home,
  });
  return new OpenQuestions({
    approver: parts.options.approve,
    callsAbove: (sessionID) => delegations.callsAbove(sessionID),
    saveRules,
    pauseTurn: (sessionID) => toolbox.sessions.pauseTurn(sessionID),
    forward: async (sessionID, event) => forwardAnswer(await sessions.store(), sessionID, event, saveRules),
  });
}

function pathsOf(directory: string, inspected: InspectedProject): Paths {
  const { home, toolwrightHome } = inspected.homes;
  const { root } = inspected.discovered.project;
  return { directory, root, home, toolwrightHome, settingsFile: settingsPaths(inspected).user };
}

function withRegistered(
  served: readonly ToolInfo[],
  registered: ReadonlyMap<string, RegistryEntry>,
): readonly ToolInfo[] {
  const others = served.filter(({ name }) => !registered.has(name));
  return [...others, ...[...registered.values()].map(toInfo)].sort((a, b) => (a.name < b.name ? -1 : 1));
}
