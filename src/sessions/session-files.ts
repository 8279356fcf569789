import type { HookFile } from "../calls/call.ts";
import { type LoadedFile, refOf } from "../catalog/hosts/loaded-file.ts";
import { messageOf } from "../core/error.ts";
import type { SessionAction, SessionEvent } from "../core/session.ts";
import type { DurableEvent } from "../core/session-log.ts";
import type { Hosts } from "../host/protocol/hosts.ts";
import { Listeners } from "../platform/values/listeners.ts";
import type { CallerSession } from "./folded-state.ts";
import type { Sessions } from "./sessions.ts";

type FileAction = { readonly sessionID: string; readonly action: SessionAction };

interface SessionFilesOptions {
  readonly sessions: Sessions;
  readonly hosts: Hosts;
  readonly files: () => readonly LoadedFile[];
  readonly warn: (message: string) => void;
}

/** Connects sessions and tool files: files get session events, act on sessions, and have hooks for calls. */
export class SessionFiles {
  readonly #options: SessionFilesOptions;
  readonly #actions = new Listeners<FileAction>();
  #hooks: { of: readonly LoadedFile[]; files: readonly HookFile[] } = { of: [], files: [] };

  constructor(options: SessionFilesOptions) {
    this.#options = options;
  }

  /** The files with hooks for all calls, highest priority first. Every call needs the list, so it is cached. */
  hookFiles(): readonly HookFile[] {
    const files = this.#options.files();
    if (this.#hooks.of !== files) this.#hooks = { of: files, files: hooksOf(files) };
    return this.#hooks.files;
  }

  /** Sends an event to every file that handles session events. "shutdown" goes only to files that are in memory. */
  async tell(sessionID: string, event: SessionEvent, caller: CallerSession | undefined): Promise<void> {
    const local = this.#options.sessions.get(sessionID);
    const session = local.snapshot({ ...local.agentSnapshot(), ...caller }) ?? { id: sessionID };
    const loaded = new Set(this.#options.hosts.loadedFiles());
    const followers = this.#options
      .files()
      .filter(
        ({ manifest, off, file }) =>
          manifest.followsSessions &&
          !off &&
          (event.reason !== "shutdown" || loaded.has(manifest.file) || file.location.kind === "code"),
      );
    const { signal } = new AbortController();
    await Promise.all(
      followers.map((entry) => {
        const request = { kind: "session", file: entry.manifest.file, event, session } as const;
        return this.#options.hosts.query<"session">(refOf(entry), request, signal);
      }),
    );
    if (event.reason === "shutdown") this.#options.hosts.discardPreviews(sessionID);
  }

  /** Applies an action of a tool file. A warning says if it could not be recorded. */
  act(sessionID: string, action: SessionAction): void {
    this.apply(sessionID, action)?.catch((error: unknown) => {
      this.#options.warn(`A change to the session "${sessionID}" could not be recorded. ${messageOf(error)}`);
    });
  }

  /**
   * Applies an action and notifies the listeners. The action "stop" aborts the calls of the session. Returns undefined if there
   * is nothing to wait for. Rejects if the change could not be recorded.
   */
  apply(sessionID: string, action: SessionAction): Promise<void> | undefined {
    const session = this.#options.sessions.get(sessionID);
    const event = toEvent(action);
    if (action.type === "stop") for (const run of session.runs) run.abort();
    const announce = (): void => this.#actions.emit({ sessionID, action });
    const stored = event && session.record(event);
    if (stored) return stored.then(announce);
    announce();
    return undefined;
  }

  onAction(listener: (action: FileAction) => void): () => void {
    return this.#actions.listen(listener);
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
