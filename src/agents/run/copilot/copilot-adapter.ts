import { AgentError } from "../../../core/agent-error.ts";
import type { AgentContext, AgentSession, AgentSessionOptions } from "../../../core/coding-agent.ts";
import { SharedStart } from "../../../platform/waiting/shared-start.ts";
import type { AgentAdapter } from "../adapted-agent.ts";
import { importPackage } from "../agent-packages.ts";
import { COPILOT_INSTALL, CopilotRuntime } from "./copilot-runtime.ts";
import type { CopilotSdk } from "./copilot-sdk.ts";
import { CopilotAgentSession } from "./copilot-session.ts";

const SDK = { module: "@github/copilot-sdk", install: COPILOT_INSTALL };

/** GitHub Copilot through its SDK. One process of its runtime serves all sessions. */
export function createCopilotAdapter(context: AgentContext): AgentAdapter {
  return new CopilotAdapter(context);
}

class CopilotAdapter implements AgentAdapter {
  readonly name = "copilot";
  /** It has tools for files, commands and a list of tasks. */
  readonly builtins = false;
  readonly keepsHistory = true;
  readonly needs = [SDK];
  readonly #context: AgentContext;
  #sdk: CopilotSdk | undefined;
  #runtime: SharedStart<CopilotRuntime> | undefined;

  constructor(context: AgentContext) {
    this.#context = context;
  }

  async start(): Promise<void> {
    this.#sdk = await importPackage<CopilotSdk>(SDK, this.#context);
  }

  async stop(): Promise<void> {
    const runtime = await this.#runtime?.started.catch(() => undefined);
    this.#runtime = undefined;
    await runtime?.stop();
  }

  async openSession(options: AgentSessionOptions, resumed: string | undefined): Promise<AgentSession> {
    if (options.baseUrl !== undefined && options.model === undefined) {
      throw new AgentError(
        "unsupported",
        `Copilot needs the name of a model for the API at ${options.baseUrl}: --model NAME.`,
      );
    }
    return CopilotAgentSession.open(options, resumed, {
      context: this.#context,
      start: (signal) => this.#running().wait(signal),
    });
  }

  /** The runtime. A new one if it has ended, or could not be started. */
  #running(): SharedStart<CopilotRuntime> {
    if (this.#runtime && !this.#runtime.isGivenUp) return this.#runtime;
    const starting = new SharedStart((givenUp) =>
      CopilotRuntime.start(this.#sdk as CopilotSdk, this.#context, givenUp),
    );
    const forget = (): void => {
      if (this.#runtime === starting) this.#runtime = undefined;
    };
    this.#runtime = starting;
    starting.started.then(({ ended }) => ended.then(forget), forget);
    return starting;
  }
}
