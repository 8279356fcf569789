import { crashed, notStarted, toolUnavailable } from "../calls/failures.ts";
import { type LoadedFile, refOf } from "../catalog/hosts/loaded-file.ts";
import type { ToolCatalog } from "../catalog/tool-catalog.ts";
import { ToolError } from "../core/error.ts";
import type { FileUnavailable, Hosts, Outcome } from "../host/protocol/hosts.ts";
import type { HostCall, HostResponse, UiRequest } from "../host/protocol/messages.ts";
import { nearest, suggestion } from "../platform/text/nearest.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { CommandInfo, CommandOutcome, CommandRequest } from "./toolbox.ts";
import type { RunningCommand } from "./view-requests.ts";

interface FileCommandsOptions {
  readonly hosts: Hosts;
  readonly directory: string;
  readonly catalog: ToolCatalog;
  readonly sessions: Sessions;
  readonly ui: CommandUi;
}

/** The user interface, as commands use it. */
interface CommandUi {
  isAttached(sessionID: string): boolean;
  showsViews(sessionID: string): boolean;
  /** Must not reject. */
  callForCommand(request: UiRequest, command: RunningCommand): Promise<unknown>;
}

interface FoundCommand {
  readonly info: CommandInfo;
  readonly command: string;
  readonly entry: LoadedFile;
}

/** The commands of tool files. */
export class FileCommands {
  readonly #options: FileCommandsOptions;
  /** Abort the commands that run. */
  readonly #running = new Set<() => void>();

  constructor(options: FileCommandsOptions) {
    this.#options = options;
  }

  list(): CommandInfo[] {
    return this.#all().map(({ info }) => info);
  }

  /** Runs a command until it ends or is aborted, without a time limit. Never rejects. */
  async run({ name, args, sessionID, signal }: CommandRequest): Promise<CommandOutcome> {
    const found = this.#all().find(({ info }) => info.name === name);
    if (!found) return failed(new ToolError("unknown_tool", this.#unknown(name)));
    const { hosts } = this.#options;
    const ref = refOf(found.entry);
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    const command: RunningCommand = { sessionID, signal: controller.signal, atEnd: [] };
    const port = {
      started: () => {},
      update: () => {},
      request: async () => NO_CALL,
      ui: (request: UiRequest) => this.#options.ui.callForCommand(request, command),
    };
    this.#running.add(abort);
    hosts.retain(ref.codeVersion);
    try {
      const outcome = await hosts.run(ref, this.#hostCall(found, args, sessionID), port, command.signal);
      return toOutcome(name, outcome, command.signal);
    } finally {
      hosts.release(ref.codeVersion);
      this.#running.delete(abort);
      signal?.removeEventListener("abort", abort);
      // Closes what the command has opened in the user interface.
      abort();
      for (const finish of command.atEnd) finish();
    }
  }

  /** Aborts the commands that run. */
  close(): void {
    for (const abort of this.#running) abort();
  }

  /** Of commands with the same name, the second is called `name:2`. */
  #all(): FoundCommand[] {
    const counts = new Map<string, number>();
    const files = this.#options.catalog.entries.filter(({ off }) => !off);
    return files.flatMap((entry) =>
      (entry.manifest.commands ?? []).map(({ name: command, ...rest }) => {
        const count = (counts.get(command) ?? 0) + 1;
        counts.set(command, count);
        const name = count === 1 ? command : `${command}:${count}`;
        return { info: { name, ...rest, file: entry.manifest.file }, command, entry };
      }),
    );
  }

  #unknown(name: string): string {
    const names = this.#all().map(({ info }) => info.name);
    return `No tool file has the command "${name}". ${suggestion(nearest(name, names))}`.trimEnd();
  }

  #hostCall({ command, entry }: FoundCommand, args: string, sessionID: string): HostCall {
    const { directory, catalog, sessions, ui } = this.#options;
    const session = sessions.get(sessionID);
    const ids = { sessionID, messageID: "", callID: crypto.randomUUID(), agent: "" };
    return {
      file: entry.manifest.file,
      tool: `/${command}`,
      command,
      input: args,
      context: { ...ids, directory, worktree: catalog.inspected.discovered.project.root, extra: {} },
      session: session.snapshot(session.agentSnapshot()) ?? { id: sessionID },
      output: { maxLines: 0, maxBytes: 0, keep: "head", folder: "" },
      timeoutMs: 0,
      ...(ui.isAttached(sessionID) ? { hasUI: true } : {}),
      ...(ui.showsViews(sessionID) ? { hasViews: true } : {}),
    };
  }
}

/** The response to requests that only calls can make. */
const NO_CALL: HostResponse = { ok: false, code: "failed", message: "A command cannot do this: no tool is called." };

function toOutcome(name: string, outcome: Outcome | FileUnavailable, signal: AbortSignal): CommandOutcome {
  const result = outcome.kind === "result" ? outcome.result : undefined;
  if (result?.ok) return { ok: true };
  if (signal.aborted) return failed(new ToolError("aborted", `The command "/${name}" was cancelled.`));
  if (result) return failed(new ToolError("failed", result.message));
  if (outcome.kind === "unavailable") return failed(toolUnavailable(`/${name}`, outcome).error);
  return failed((outcome.kind === "died" ? crashed(`/${name}`, outcome.reason) : notStarted(`/${name}`)).error);
}

function failed(error: ToolError): CommandOutcome {
  return { ok: false, error };
}
