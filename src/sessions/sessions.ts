import { notify } from "../core/notify.ts";
import type { SessionAction, SessionEvent, SessionSnapshot } from "../core/session.ts";
import type { HookFile, Run } from "../pipeline/call.ts";
import type { Hosts } from "../protocol/hosts.ts";
import { type LoadedFile, refOf } from "../supervisor/loaded-file.ts";
import { type CallerSession, SessionChanges } from "./session-changes.ts";

type ActionListener = (event: { sessionID: string; action: SessionAction }) => void;

/** Connects sessions and tool files: files get session events, and act on sessions and on the calls in them. */
export class Sessions {
  readonly #hosts: Hosts;
  readonly #files: () => readonly LoadedFile[];
  readonly #changes = new SessionChanges();
  readonly #listeners = new Set<ActionListener>();
  readonly #running = new Map<string, Set<Run>>();
  #hooks: { of: readonly LoadedFile[]; files: readonly HookFile[] } = { of: [], files: [] };

  constructor(hosts: Hosts, files: () => readonly LoadedFile[]) {
    this.#hosts = hosts;
    this.#files = files;
  }

  /** The session data from the caller, with the changes of tools; undefined if there is neither. */
  snapshot(sessionID: string, caller: CallerSession | undefined): SessionSnapshot | undefined {
    return this.#changes.snapshot(sessionID, caller);
  }

  storedValue(sessionID: string, key: string): unknown {
    return this.#changes.storedValue(sessionID, key);
  }

  activeTools(sessionID: string): readonly string[] | undefined {
    return this.#changes.activeTools(sessionID);
  }

  /** The files with hooks for all calls, highest priority first. Every call needs the list, so it is cached. */
  hookFiles(): readonly HookFile[] {
    const files = this.#files();
    if (this.#hooks.of !== files) this.#hooks = { of: files, files: hooksOf(files) };
    return this.#hooks.files;
  }

  /** Sends an event to every file that handles session events. "shutdown" goes only to files that are in memory. */
  async tell(sessionID: string, event: SessionEvent, caller: CallerSession | undefined): Promise<void> {
    const session = this.snapshot(sessionID, caller) ?? { id: sessionID };
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
  apply(sessionID: string, action: SessionAction): void {
    this.#changes.apply(sessionID, action);
    if (action.type === "stop") for (const run of this.#running.get(sessionID) ?? []) run.abort();
    for (const listener of [...this.#listeners]) notify(listener, { sessionID, action });
  }

  onAction(listener: ActionListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Remembers a call until it ends, so that the action "stop" can abort it. */
  track(sessionID: string, run: Run): void {
    const runs = this.#running.get(sessionID) ?? new Set();
    this.#running.set(sessionID, runs.add(run));
    // A result never rejects.
    void run.result.then(() => {
      runs.delete(run);
      if (runs.size === 0) this.#running.delete(sessionID);
    });
  }
}

function hooksOf(files: readonly LoadedFile[]): HookFile[] {
  return files.flatMap((entry) => {
    const { hooks } = entry.manifest;
    return hooks && !entry.off ? [{ ref: refOf(entry), hooks }] : [];
  });
}
