import { notify } from "../core/notify.ts";
import type { SessionAction, SessionEvent, SessionSnapshot } from "../core/session.ts";
import type { HookFile, Run } from "../pipeline/call.ts";
import type { Hosts } from "../protocol/hosts.ts";
import { type LoadedFile, refOf } from "../supervisor/manifest-reader.ts";
import { SessionStates } from "./session-states.ts";

type Given = Omit<SessionSnapshot, "id"> | undefined;

/** What tool files and sessions have to do with each other: who is told of them, and who does what to them. */
export class Sessions {
  readonly #hosts: Hosts;
  readonly #entries: () => readonly LoadedFile[];
  readonly #states = new SessionStates();
  readonly #listeners = new Set<(told: { sessionID: string; action: SessionAction }) => void>();
  readonly #running = new Map<string, Set<Run>>();
  #hooks: { of: readonly LoadedFile[]; files: readonly HookFile[] } = { of: [], files: [] };

  constructor(hosts: Hosts, entries: () => readonly LoadedFile[]) {
    this.#hosts = hosts;
    this.#entries = entries;
  }

  snapshot(sessionID: string, given: Given): SessionSnapshot | undefined {
    return this.#states.snapshot(sessionID, given);
  }

  /** What a tool has kept for a session. */
  kept(sessionID: string, key: string): unknown {
    return this.#states.kept(sessionID, key);
  }

  activeTools(sessionID: string): readonly string[] | undefined {
    return this.#states.activeTools(sessionID);
  }

  /** The files that have a say in calls, highest priority first. Asked for on every call, found once for each state. */
  hookFiles(): readonly HookFile[] {
    const entries = this.#entries();
    if (this.#hooks.of !== entries) this.#hooks = { of: entries, files: hooksOf(entries) };
    return this.#hooks.files;
  }

  /** Tells every file that follows sessions. Whoever has not been loaded has nothing to put away at the end. */
  async tell(sessionID: string, event: SessionEvent, given: Given): Promise<void> {
    const session = this.snapshot(sessionID, given) ?? { id: sessionID };
    const loaded = new Set(this.#hosts.loadedFiles());
    const concerned = this.#entries().filter(
      ({ manifest, off, file }) =>
        manifest.followsSessions &&
        !off &&
        (event.reason !== "shutdown" || loaded.has(manifest.file) || file.place.kind === "code"),
    );
    const { signal } = new AbortController();
    await Promise.all(
      concerned.map((entry) => {
        const request = { kind: "session", file: entry.manifest.file, event, session } as const;
        return this.#hosts.query<"session">(refOf(entry), request, signal);
      }),
    );
    if (event.reason === "shutdown") this.#hosts.discardPreviews(sessionID);
  }

  /** A wish to stop ends the calls of the session; whoever runs an agent hears of it too. */
  act(sessionID: string, action: SessionAction): void {
    this.#states.apply(sessionID, action);
    if (action.type === "stop") for (const run of this.#running.get(sessionID) ?? []) run.abort();
    for (const listener of [...this.#listeners]) notify(listener, { sessionID, action });
  }

  onAction(listener: (sessionID: string, action: SessionAction) => void): () => void {
    const wrapped = (told: { sessionID: string; action: SessionAction }): void => listener(told.sessionID, told.action);
    this.#listeners.add(wrapped);
    return () => void this.#listeners.delete(wrapped);
  }

  /** Remembers a call for as long as it runs. */
  follow(sessionID: string, run: Run): void {
    const runs = this.#running.get(sessionID) ?? new Set();
    this.#running.set(sessionID, runs.add(run));
    // A result never rejects.
    void run.result.then(() => {
      runs.delete(run);
      if (runs.size === 0) this.#running.delete(sessionID);
    });
  }
}

function hooksOf(entries: readonly LoadedFile[]): HookFile[] {
  return entries.flatMap((entry) => {
    const { hooks } = entry.manifest;
    return hooks && !entry.off ? [{ ref: refOf(entry), hooks }] : [];
  });
}
