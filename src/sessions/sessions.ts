import { notify } from "../core/notify.ts";
import type { SessionAction, SessionEvent } from "../core/session.ts";
import type { DurableEvent } from "../core/session-log.ts";
import type { HookFile, Run } from "../pipeline/call.ts";
import type { Hosts } from "../protocol/hosts.ts";
import { type LoadedFile, refOf } from "../supervisor/loaded-file.ts";
import { LocalSession } from "./local-session.ts";
import type { CallerSession } from "./session-state.ts";

type ActionListener = (event: { sessionID: string; action: SessionAction }) => void;

/** The maximum number of sessions. The least recently used ones that are not in use are dropped. */
const MAX_SESSIONS = 1_000;

/** The sessions that this process uses. Connects them and tool files: files get session events, and act on sessions. */
export class Sessions {
  readonly #hosts: Hosts;
  readonly #files: () => readonly LoadedFile[];
  readonly #sessions = new Map<string, LocalSession>();
  readonly #listeners = new Set<ActionListener>();
  #hooks: { of: readonly LoadedFile[]; files: readonly HookFile[] } = { of: [], files: [] };
  #last: LocalSession | undefined;

  constructor(hosts: Hosts, files: () => readonly LoadedFile[]) {
    this.#hosts = hosts;
    this.#files = files;
  }

  /** The session with this id. It exists as soon as it is used. */
  get(id: string): LocalSession {
    if (this.#last?.id === id) return this.#last;
    const session = this.#sessions.get(id) ?? new LocalSession(id);
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    this.#last = session;
    if (this.#sessions.size > MAX_SESSIONS) this.#dropOldest(session);
    return session;
  }

  /** The files with hooks for all calls, highest priority first. Every call needs the list, so it is cached. */
  hookFiles(): readonly HookFile[] {
    const files = this.#files();
    if (this.#hooks.of !== files) this.#hooks = { of: files, files: hooksOf(files) };
    return this.#hooks.files;
  }

  /** Sends an event to every file that handles session events. "shutdown" goes only to files that are in memory. */
  async tell(sessionID: string, event: SessionEvent, caller: CallerSession | undefined): Promise<void> {
    const session = this.get(sessionID).snapshot(caller) ?? { id: sessionID };
    const loaded = new Set(this.#hosts.loadedFiles());
    const followers = this.#files().filter(
      ({ manifest, off, file }) =>
        manifest.followsSessions &&
        !off &&
        (event.reason !== "shutdown" || loaded.has(manifest.file) || file.location.kind === "code"),
    );
    const { signal } = new AbortController();
    await Promise.all(
      followers.map((entry) => {
        const request = { kind: "session", file: entry.manifest.file, event, session } as const;
        return this.#hosts.query<"session">(refOf(entry), request, signal);
      }),
    );
    if (event.reason === "shutdown") this.#hosts.discardPreviews(sessionID);
  }

  /** Applies an action of a tool file and notifies the listeners. The action "stop" aborts the calls of the session. */
  act(sessionID: string, action: SessionAction): void {
    const session = this.get(sessionID);
    const event = toEvent(action);
    if (event) void session.record(event);
    if (action.type === "stop") for (const run of session.runs) run.abort();
    for (const listener of [...this.#listeners]) notify(listener, { sessionID, action });
  }

  onAction(listener: ActionListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Remembers a call until it ends, so that it can be aborted with its session. */
  track(sessionID: string, run: Run): void {
    const { runs } = this.get(sessionID);
    runs.add(run);
    // A result never rejects.
    void run.result.then(() => runs.delete(run));
  }

  #dropOldest(current: LocalSession): void {
    for (const [id, session] of this.#sessions) {
      if (session === current || session.isInUse) continue;
      this.#sessions.delete(id);
      return;
    }
  }
}

/** The change that an action makes to its session; undefined for actions that only an agent can carry out. */
function toEvent(action: SessionAction): DurableEvent | undefined {
  switch (action.type) {
    case "entry":
      return { type: "entry.added", entry: action.entry };
    case "state":
      return { type: "state.set", of: "tools", key: action.key, value: action.value };
    case "name":
      return { type: "state.set", of: "session", key: "title", value: action.name };
    case "active-tools":
      return { type: "state.set", of: "session", key: "activeTools", value: action.names };
    default:
      return undefined;
  }
}

function hooksOf(files: readonly LoadedFile[]): HookFile[] {
  return files.flatMap((entry) => {
    const { hooks } = entry.manifest;
    return hooks && !entry.off ? [{ ref: refOf(entry), hooks }] : [];
  });
}
