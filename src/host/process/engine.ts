import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../../core/error.ts";
import type { HookedCall } from "../../core/hooked-call.ts";
import type { Problem } from "../../core/problem.ts";
import type { SessionEvent, SessionSnapshot } from "../../core/session.ts";
import type { Access, Tool } from "../../core/tool.ts";
import { within } from "../../platform/waiting/within.ts";
import type { Contributions } from "../formats/contributions.ts";
import { boundedPatch } from "../output/bounded-result.ts";
import { boundedLines } from "../protocol/drawn-lines.ts";
import type { CallPort } from "../protocol/hosts.ts";
import { type FileManifest, type HostFile, isBroken, PREVIEWS_FILE } from "../protocol/manifest.ts";
import type { HostCall, HostQuery, HostResult, LoadOptions, QueryAnswer, Target } from "../protocol/messages.ts";
import { plainJson } from "../protocol/plain-json.ts";
import { verifySchema } from "../schema/lazy-schema.ts";
import { SlowCheck } from "../schema/slow-check.ts";
import { commandsOf, describeFile, hooksOf } from "./describe-file.ts";
import { explainThrown } from "./explain-thrown.ts";
import type { HostServices, ServingPort, WorkScope } from "./host-services.ts";
import { definedFor, runCall } from "./run-call.ts";
import { type ReaderOptions, ToolFileReader } from "./tool-file-reader.ts";
import { truncateIssues } from "./truncate-issues.ts";

interface Loaded {
  readonly file: HostFile;
  readonly from: Contributions;
  /** Files that were read beside its imports, with their stamps. */
  readonly reads: FileManifest["imports"];
  tools: readonly Tool[];
  /** The problems in `manifest`. */
  problems: readonly Problem[];
  manifest: FileManifest;
  /** The sessions whose events the file has got, each with the promise of its last event. */
  readonly sessions: Map<string, Promise<void>>;
  /** Settles when the last event has been handled: events are sent one after another. */
  handling: Promise<unknown>;
}

/** The most sessions remembered for a file; a session that is dropped starts again with its next call. */
const MAX_SESSIONS = 1_000;
/** How long to wait for a file to handle a session event. */
const EVENT_MS = 10_000;

/** Loads files and runs their tools in this process. */
export class Engine {
  readonly #reader: ToolFileReader;
  readonly #services: HostServices;
  readonly #serving: ServingPort;
  readonly #onChanged: (manifest: FileManifest) => void;
  readonly #files = new Map<string, Promise<Loaded>>();
  /** The number of imports last reported for each file, and the number of all imports at that time. */
  readonly #reported = new Map<string, Pick<Loaded, "file" | "reads"> & { imports: number; edges: number }>();

  constructor(
    options: ReaderOptions & {
      services: HostServices;
      serving: ServingPort;
      onChanged: (manifest: FileManifest) => void;
    },
  ) {
    this.#services = options.services;
    this.#serving = options.serving;
    this.#onChanged = options.onChanged;
    this.#reader = new ToolFileReader(options, options.services);
  }

  /** Imports a file once. Never rejects: errors are in the manifest's problems. */
  async load(file: HostFile, options: Partial<LoadOptions> = {}): Promise<FileManifest> {
    const former = this.#files.get(file.file);
    const loading = former && !options.fresh ? former : this.#load(file, former);
    this.#files.set(file.file, loading);
    const loaded = await loading;
    return options.verify ? { ...loaded.manifest, problems: await verified(loaded) } : loaded.manifest;
  }

  /** Answers a query. Never rejects. */
  async answer(query: HostQuery): Promise<QueryAnswer> {
    try {
      switch (query.kind) {
        case "prepare":
          return await this.#prepare(query);
        case "render":
          return await this.#render(query);
        case "before":
          return await this.#before(query);
        case "after":
          return await this.#after(query);
        case "session":
          return await this.#session(query);
      }
    } catch (error) {
      if (query.kind === "prepare" && SlowCheck.is(error)) return { kind: "slow", parts: error.parts };
      return { kind: "failed", message: messageOf(error) };
    }
  }

  /** Compiles the input schema of a tool. Returns whether that was necessary. Runs no author's code. */
  async warmUp({ file, tool }: Target): Promise<boolean> {
    const loaded = await this.#files.get(file);
    const warming = loaded?.tools.find(({ name }) => name === tool)?.input.warmUp?.();
    // The first call that checks its input reports the error.
    await warming?.catch(() => {});
    return warming !== undefined;
  }

  /** Runs a tool of a loaded file. Never rejects. */
  async run(call: HostCall, signal: AbortSignal, port: CallPort): Promise<HostResult> {
    const loaded = await this.#files.get(call.file);
    const scope: WorkScope = {
      session: call.session ?? { id: call.context.sessionID },
      // A timer of the tool may use the user interface after the call.
      ui: (request) => port.ui({ ...request, sessionID: call.context.sessionID }),
      hasUI: call.hasUI ?? false,
      hasViews: call.hasViews ?? false,
    };
    if (loaded?.from.dependsOnHost) await this.#startSession(loaded, scope.session);
    if (call.command !== undefined) return this.#runCommand({ ...call, name: call.command }, loaded, scope, signal);
    const tool = this.#toolOf(call, loaded);
    if (!tool) return { ok: false, code: "unknown_tool", message: absent(call), content: [] };
    const entry = this.#reader.moduleAt(call.file);
    const work = (): Promise<HostResult> => runCall({ tool, call, signal, port, scope, entry });
    // Only files that got the services can use them, or register tools.
    if (loaded && !loaded.from.dependsOnHost) return work();
    const result = await this.#services.runIn(scope, work);
    if (loaded) this.#reportChanges(loaded);
    return result;
  }

  /** Runs a command of a loaded file. Never rejects. */
  async #runCommand(
    { name, file, input, context }: HostCall & { readonly name: string },
    loaded: Loaded | undefined,
    scope: WorkScope,
    signal: AbortSignal,
  ): Promise<HostResult> {
    const command = loaded?.from.commands?.find((each) => each.name === name);
    if (!loaded || !command)
      return failedCommand(`The command "/${name}" is no longer in ${file}. List the commands again.`);
    try {
      const at = { session: scope.session, directory: context.directory, signal };
      await this.#services.runIn(scope, () => command.run(String(input), at));
      return { ok: true, content: [] };
    } catch (error) {
      return failedCommand((await explainThrown(error, this.#reader.moduleAt(file))).message);
    } finally {
      this.#reportChanges(loaded);
    }
  }

  /** The imports of a file if it has imported more since the last report; otherwise undefined. */
  newImportsOf(file: string): FileManifest["imports"] | undefined {
    const known = this.#reported.get(file);
    if (known === undefined || known.edges === this.#reader.edges) return undefined;
    const imports = [...this.#reader.importsOf(known.file), ...known.reads];
    this.#noteImports(known.file, known.reads, imports.length);
    return imports.length > known.imports ? imports : undefined;
  }

  /** Sends "shutdown" to every file for each session, then closes the files. Never rejects, but may never resolve. */
  async shutDown(): Promise<void> {
    const files = await Promise.all(this.#files.values());
    const ends = files.flatMap((loaded) =>
      [...loaded.sessions.keys()].map((id) => this.#sendSessionEvent(loaded, { reason: "shutdown" }, { id })),
    );
    await Promise.all(ends);
    await Promise.all(files.map(({ from }) => from.close?.()));
  }

  close(): void {
    this.#reader.close();
  }

  async #find(target: Target): Promise<Tool | undefined> {
    return this.#toolOf(target, await this.#files.get(target.file));
  }

  #toolOf(target: Target, loaded: Loaded | undefined): Tool | undefined {
    if (target.file === PREVIEWS_FILE) return this.#services.previews.tool();
    const tool = loaded?.tools.find(({ name }) => name === target.tool);
    // The tool existed in an earlier host: report the tools that exist now.
    if (loaded && !tool) this.#onChanged(loaded.manifest);
    return tool;
  }

  /** The tools that a file declared before it was broken are still served. */
  async #load(file: HostFile, former: Promise<Loaded> | undefined): Promise<Loaded> {
    const { from, problems, reads, transientFailure } = await this.#reader.read(file);
    const read = this.#manifestOf({ file, from, reads, tools: from.tools, problems });
    const manifest = transientFailure ? { ...read, transientFailure } : read;
    const tools = (isBroken(manifest) && (await former)?.tools) || from.tools;
    this.#noteImports(file, reads, manifest.imports.length);
    const loaded = { file, from, reads, tools, problems, manifest, sessions: new Map(), handling: Promise.resolve() };
    from.onChange?.(oncePerTurn(() => this.#reportChanges(loaded)));
    return loaded;
  }

  #manifestOf({
    file,
    from,
    tools,
    problems,
    reads,
  }: Omit<Loaded, "manifest" | "sessions" | "handling">): FileManifest {
    const imports = [...this.#reader.importsOf(file), ...reads];
    return describeFile({ file, from, tools, problems, imports }, this.#services);
  }

  #noteImports(file: HostFile, reads: Loaded["reads"], imports: number): void {
    this.#reported.set(file.file, { file, reads, imports, edges: this.#reader.edges });
  }

  async #prepare({ target, input, cwd, session, agent }: HostQuery<"prepare">): Promise<QueryAnswer<"prepare">> {
    const loaded = await this.#files.get(target.file);
    if (loaded) await this.#startSession(loaded, session);
    const found = await this.#find(target);
    if (!found) return { kind: "failed", message: absent(target) };
    const tool = await definedFor(found, agent);
    const checked = await tool.input.check(input);
    if (!checked.ok) return { kind: "invalid", issues: truncateIssues(checked.issues) };
    const access = tool.access?.(checked.value, { cwd }) ?? ["undeclared"];
    return { kind: "prepared", access: access.map(plainAccess) };
  }

  async #render({ target, view }: HostQuery<"render">): Promise<QueryAnswer<"render">> {
    const lines = await (await this.#find(target))?.render?.(view);
    return lines ? { kind: "rendered", lines: boundedLines(lines) } : { kind: "rendered" };
  }

  async #before({ file, call, hasUI }: HostQuery<"before">): Promise<QueryAnswer<"before">> {
    const loaded = await this.#files.get(file);
    if (loaded) await this.#startSession(loaded, call.session);
    const answer = await this.#services.runIn(this.#hookScope(call, hasUI), async () =>
      loaded?.from.hooks?.before?.(call),
    );
    if (!answer) return { kind: "passed" };
    if ("refuse" in answer) return { kind: "refused", reason: answer.refuse };
    return { kind: "changed", input: plainJson(answer.input) };
  }

  async #after({ file, call, result, output, hasUI }: HostQuery<"after">): Promise<QueryAnswer<"after">> {
    const loaded = await this.#files.get(file);
    const patch = await this.#services.runIn(this.#hookScope(call, hasUI), async () =>
      loaded?.from.hooks?.after?.(call, result),
    );
    if (!patch || Object.keys(patch).length === 0) return { kind: "after" };
    const { changes, truncated } = boundedPatch(patch, output, { sessionID: call.session.id, callID: call.callID });
    return { kind: "after", result: { ...result, ...changes }, ...(truncated ? { truncated } : {}) };
  }

  async #session({ file, event, session }: HostQuery<"session">): Promise<QueryAnswer<"session">> {
    const loaded = await this.#files.get(file);
    if (loaded) await this.#sendSessionEvent(loaded, event, session);
    return { kind: "handled" };
  }

  /** Sends "start" to a file that has got no event of the session yet. */
  async #startSession(loaded: Loaded, session: SessionSnapshot): Promise<void> {
    if (!loaded.manifest.followsSessions) return;
    const resumed = (session.entries?.length ?? 0) > 0;
    await (loaded.sessions.get(session.id) ?? this.#sendSessionEvent(loaded, { reason: "start", resumed }, session));
  }

  /** Errors of authors' handlers are only logged. */
  #sendSessionEvent(loaded: Loaded, event: SessionEvent, session: SessionSnapshot): Promise<void> {
    const listeners = [loaded.from, ...loaded.tools];
    const handled = loaded.handling.then(async () => {
      for (const listener of listeners) {
        const work = this.#services.runIn(this.#eventScope(session), async () => listener.onSession?.(event, session));
        await within(EVENT_MS, work, refuseLate, { ref: false }).catch((error: unknown) =>
          this.#services.log("warn", `${loaded.file.file} failed at "${event.reason}": ${messageOf(error)}`),
        );
      }
      this.#reportChanges(loaded);
    });
    loaded.handling = handled;
    if (event.reason === "shutdown") loaded.sessions.delete(session.id);
    else loaded.sessions.set(session.id, handled);
    const [oldest] = loaded.sessions.keys();
    if (loaded.sessions.size > MAX_SESSIONS && oldest !== undefined) loaded.sessions.delete(oldest);
    return handled;
  }

  #hookScope({ session, callID }: HookedCall, hasUI = false): WorkScope {
    return { session, hasUI, ui: (request) => this.#serving.ui({ ...request, callID }) };
  }

  #eventScope(session: SessionSnapshot): WorkScope {
    return { session, hasUI: false, ui: (request) => this.#serving.ui({ ...request, sessionID: session.id }) };
  }

  /** Reports tools, hooks and commands that a file has registered while it ran. */
  #reportChanges(loaded: Loaded): void {
    const mayChange = loaded.from.dependsOnHost || loaded.manifest.followsSessions;
    if (isBroken(loaded.manifest) || !mayChange) return;
    const { tools } = loaded.from;
    const hooks = hooksOf(loaded.from);
    const problems = this.#reader.problemsOf(loaded.file, loaded.from);
    const sameTools = tools.length === loaded.tools.length && tools.every((tool, at) => tool === loaded.tools[at]);
    const sameHooks = hooks.length === (loaded.manifest.hooks?.length ?? 0);
    const sameCommands = isDeepStrictEqual(commandsOf(loaded.from), loaded.manifest.commands ?? []);
    if (sameTools && sameHooks && sameCommands && isDeepStrictEqual(problems, loaded.problems)) return;
    loaded.tools = tools;
    loaded.problems = problems;
    loaded.manifest = this.#manifestOf(loaded);
    this.#onChanged(loaded.manifest);
  }
}

/** For changes that come in bursts: a report contains the whole file. Calls of one turn of the event loop have one effect. */
function oncePerTurn(work: () => void): () => void {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      work();
    });
  };
}

function refuseLate(): never {
  throw new Error(`it did not end within ${EVENT_MS / 1000} s`);
}

const MAX_MESSAGE = 10_000;

function failedCommand(message: string): HostResult {
  return { ok: false, code: "failed", message: message.slice(0, MAX_MESSAGE), content: [] };
}

/** Drops other fields of an author's object. */
function plainAccess(access: Access): Access {
  if (access === "undeclared") return access;
  return { kind: access.kind, target: access.target, ...(access.named ? { named: true } : {}) };
}

function absent(target: Target): string {
  return `"${target.tool}" is no longer in ${target.file}. List the tools again.`;
}

async function verified(loaded: Loaded): Promise<readonly Problem[]> {
  const problems = [...loaded.manifest.problems];
  for (const tool of loaded.tools) {
    const { file } = loaded.manifest;
    const reason = await verifySchema(tool.input);
    if (reason) problems.push({ file, code: "bad_schema", message: reason, tool: tool.name });
    const fault = tool.output && (await verifySchema(tool.output));
    if (fault) problems.push({ file, code: "bad_schema", message: `Its output: ${fault}`, tool: tool.name });
  }
  return problems;
}
