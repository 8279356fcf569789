import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { AgentError } from "../../../core/agent-error.ts";
import type { AgentContext } from "../../../core/coding-agent.ts";
import { messageOf } from "../../../core/error.ts";
import { type GuardedProgram, startGuarded } from "../../../platform/processes/start-guarded.ts";
import { unlessAborted } from "../../../platform/waiting/until-aborted.ts";
import { within } from "../../../platform/waiting/within.ts";
import { agentInstallCommand, findPackage, settingsCommand } from "../agent-packages.ts";
import type { CopilotClient, CopilotSdk } from "./copilot-sdk.ts";

/** What to install. */
export const COPILOT_INSTALL = "@github/copilot-sdk@1";

/** How long the runtime may take to shut down by itself. */
const STOP_MS = 3_000;

/** How long to wait for the reason why the connection is closed. */
const ENDED_MS = 500;

/** The process of Copilot that runs all sessions, and the SDK's client for it. */
export class CopilotRuntime {
  readonly client: CopilotClient;
  /** Resolves to a sentence when the process has ended. */
  readonly ended: Promise<string>;
  hasEnded = false;
  /** The last owners of the runtime's sessions. One that was given up may be closed late, while another continues it. */
  readonly owners: Map<string, object> = new Map();
  readonly #program: GuardedProgram;
  readonly #endListeners = new Set<(message: string) => void>();

  private constructor(client: CopilotClient, program: GuardedProgram) {
    this.client = client;
    this.#program = program;
    this.ended = program.exited.then((how) => {
      this.hasEnded = true;
      const { lastErrors } = program;
      const message = `The runtime of Copilot ${how}.${lastErrors === "" ? "" : ` It wrote: ${lastErrors}`}`;
      for (const listener of this.#endListeners) listener(message);
      return message;
    });
  }

  /** Rejects with "not_installed" or "not_started", also when the signal fires. */
  static async start(sdk: CopilotSdk, context: AgentContext, givenUp: AbortSignal): Promise<CopilotRuntime> {
    const { directory } = context;
    const [path = "", ...args] = runtimeCommand(context);
    // With COPILOT_ALLOW_ALL, Copilot asks no questions.
    const env = { ...context.env, COPILOT_ALLOW_ALL: undefined };
    const program = startGuarded([path, ...args, "--headless", "--no-auto-update", "--log-level", "error", "--stdio"], {
      cwd: directory,
      env,
    });
    const connection = sdk.RuntimeConnection.forStdio({ path });
    const client = new sdk.CopilotClient({ connection, workingDirectory: directory, env });
    const runtime = new CopilotRuntime(client, program);
    useProcess(client, program);
    try {
      const ended = runtime.ended.then((message) => Promise.reject(new Error(message)));
      await unlessAborted(givenUp, Promise.race([client.start(), ended]));
      return runtime;
    } catch (error) {
      await runtime.stop();
      const reason = messageOf(error);
      const message = reason.startsWith("The runtime of Copilot ")
        ? reason
        : `The runtime of Copilot cannot be started: ${reason}`;
      const next = context.programs.copilot
        ? `It is set by "agents.programs.copilot" in your settings: correct it there.`
        : `Install it again: ${agentInstallCommand(COPILOT_INSTALL, context)}`;
      throw new AgentError("not_started", `${message} ${next}`, { cause: error });
    }
  }

  /** Calls the listener when the process has ended. Returns a function that removes it. */
  onEnd(listener: (message: string) => void): () => void {
    this.#endListeners.add(listener);
    return () => void this.#endListeners.delete(listener);
  }

  /**
   * Waits for an answer of the runtime. Rejects with "agent_failed" if the process ends: the SDK would wait forever. An error of
   * the SDK becomes one that begins with `failed`.
   */
  async answer<T>(ask: () => Promise<T>, failed: string): Promise<T> {
    if (this.hasEnded) throw new AgentError("agent_failed", await this.ended);
    const ended = Promise.withResolvers<never>();
    const stop = this.onEnd((message) => ended.reject(new AgentError("agent_failed", message)));
    try {
      return await Promise.race([ask(), ended.promise]);
    } catch (error) {
      if (AgentError.is(error)) throw error;
      // The reason why the process has ended is a better message than that the connection is closed.
      const reason = await within(ENDED_MS, this.ended);
      throw new AgentError("agent_failed", reason ?? `${failed}: ${messageOf(error)}`, { cause: error });
    } finally {
      stop();
    }
  }

  /** Never rejects. */
  async stop(): Promise<void> {
    await within(STOP_MS, Promise.race([this.client.stop().catch(() => []), this.ended]));
    await this.#program.end();
  }
}

/**
 * Makes the client use a process that we have started. The SDK starts one in the process group of this process, where Ctrl-C ends
 * it, does not end the commands that it runs, and copies its standard error to ours. A later version of the SDK without this
 * method starts a process of its own.
 *
 * Its JSON-RPC library rejects a promise without a handler when it cannot write, which would end this process. So it writes to a
 * stream that stays open when the process has ended.
 */
function useProcess(client: CopilotClient, { child }: GuardedProgram): void {
  if (client.startCLIServer === undefined) return;
  const input = new PassThrough();
  if (child.stdin) input.pipe(child.stdin);
  client.startCLIServer = async () => {
    client.cliProcess = new Proxy(child, {
      get: (target, key) => (key === "stdin" ? input : Reflect.get(target, key)),
    });
  };
}

/** The command of the user's settings, else the program in the package for this platform. */
function runtimeCommand(context: AgentContext): readonly string[] {
  const set = settingsCommand("copilot", context);
  if (set !== undefined) return set;
  const { platform, arch } = process;
  const name = platform === "win32" ? "copilot-runtime.exe" : "copilot-runtime";
  const platforms = platform === "linux" ? ["linux", "linuxmusl"] : [platform];
  const sdk = findPackage("@github/copilot-sdk", context);
  const modules = sdk === undefined ? [] : [dirname(dirname(sdk.folder)), join(sdk.folder, "node_modules")];
  const file = modules
    .flatMap((folder) => platforms.map((each) => join(folder, packageFor(each), "prebuilds", `${each}-${arch}`, name)))
    .find((each) => existsSync(each));
  if (file !== undefined) return [file];
  const message = `${packageFor(platforms[0] ?? platform)}, the runtime of Copilot for this platform, is not installed. Install it with its optional dependencies: ${agentInstallCommand(COPILOT_INSTALL, context)}`;
  throw new AgentError("not_installed", message);
}

function packageFor(platform: string): string {
  return `@github/copilot-sdk-${platform}-${process.arch}`;
}
