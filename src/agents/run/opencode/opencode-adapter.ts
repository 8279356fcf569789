import { AgentError } from "../../../core/agent-error.ts";
import type { AgentContext, AgentSession, AgentSessionOptions } from "../../../core/coding-agent.ts";
import { SharedStart } from "../../../platform/waiting/shared-start.ts";
import type { AgentAdapter } from "../adapted-agent.ts";
import { findCommand, importPackage } from "../agent-packages.ts";
import { modelOf, type ServerOptions, serverOptions } from "./opencode-options.ts";
import type { OpencodeSdk } from "./opencode-sdk.ts";
import { OPENCODE_INSTALL, OpencodeServer, PROGRAM } from "./opencode-server.ts";
import { OpencodeSession } from "./opencode-session.ts";

const SDK = { module: "@opencode-ai/sdk/v2/client", install: OPENCODE_INSTALL };

/** OpenCode through its server and SDK. */
export function createOpencodeAdapter(context: AgentContext): AgentAdapter {
  return new OpencodeAdapter(context);
}

class OpencodeAdapter implements AgentAdapter {
  readonly name = "opencode";
  /** It has tools for files, commands and a list of tasks. */
  readonly builtins = false;
  readonly keepsHistory = true;
  readonly needs = [PROGRAM, SDK];
  readonly #context: AgentContext;
  #sdk: OpencodeSdk | undefined;
  /** By the options that they were started with. */
  readonly #servers = new Map<string, SharedStart<OpencodeServer>>();

  constructor(context: AgentContext) {
    this.#context = context;
  }

  async start(): Promise<void> {
    findCommand(PROGRAM, this.#context);
    this.#sdk = await importPackage<OpencodeSdk>(SDK, this.#context);
  }

  async stop(): Promise<void> {
    const servers = [...this.#servers.values()];
    this.#servers.clear();
    await Promise.all(servers.map(({ started }) => started.then((server) => server.stop()).catch(() => {})));
  }

  async openSession(options: AgentSessionOptions, resumed: string | undefined): Promise<AgentSession> {
    const { model, baseUrl } = options;
    if (baseUrl !== undefined && model === undefined) {
      throw new AgentError(
        "unsupported",
        `OpenCode needs the name of a model for the API at ${baseUrl}: --model NAME.`,
      );
    }
    if (model !== undefined && modelOf(options) === undefined) {
      const message = `OpenCode names models PROVIDER/MODEL, and "${model}" is not such a name. \`opencode models\` lists them.`;
      throw new AgentError("unsupported", message);
    }
    const server = await this.#server(serverOptions(options)).wait(options.signal);
    return OpencodeSession.open(options, resumed, { context: this.#context, server });
  }

  /** The server for these options. A new one if it has ended, or could not be started. */
  #server(options: ServerOptions): SharedStart<OpencodeServer> {
    const key = JSON.stringify(options);
    const running = this.#servers.get(key);
    if (running && !running.isGivenUp) return running;
    const starting = new SharedStart((givenUp) =>
      OpencodeServer.start(this.#sdk as OpencodeSdk, this.#context, options, givenUp),
    );
    const forget = (): void => {
      if (this.#servers.get(key) === starting) this.#servers.delete(key);
    };
    this.#servers.set(key, starting);
    starting.started.then(({ ended }) => ended.then(forget), forget);
    return starting;
  }
}
