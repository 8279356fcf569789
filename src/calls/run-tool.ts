import type { Update } from "../core/events.ts";
import type { Content, ToolResult } from "../core/result.ts";
import type { InnerCallOptions } from "../core/tool.ts";
import type { FileUnavailable, Hosts, Outcome, RunPort } from "../host/protocol/hosts.ts";
import type { HostCall, HostRequest, HostResponse, HostResult, UiRequest } from "../host/protocol/messages.ts";
import type { Call } from "./call.ts";
import type { CallPermissions } from "./call-permissions.ts";
import {
  ALLOWABLE,
  crashed,
  failure,
  invalidInput,
  invalidOutput,
  notStarted,
  slowInput,
  slowOutput,
  stopped,
  toolUnavailable,
} from "./failures.ts";
import { answerHostRequest } from "./host-requests.ts";
import type { InnerCalls } from "./inner-calls.ts";

/** The innermost step: the tool runs in its host, which also shapes and truncates its output. */
export function createRunTool(
  hosts: Hosts,
  permissions: CallPermissions,
  innerCallsOf: (call: Call) => InnerCalls,
): (call: Call) => Promise<ToolResult> {
  return async (call) => {
    const tool = new RunningTool(call, permissions, innerCallsOf);
    const outcome = await call.clock.countFrom((started) => {
      tool.started = started;
      return hosts.run(call.entry.ref, toHostCall(call), tool, call.signal);
    });
    return tool.resultOf(outcome);
  };
}

function toHostCall({ entry, input, context, limits, scope, timeoutMs }: Call): HostCall {
  const { snapshot } = scope.session;
  return {
    file: entry.ref.file.file,
    tool: entry.manifest.name,
    input,
    context,
    ...(snapshot ? { session: snapshot } : {}),
    output: limits.output,
    timeoutMs,
    ...(limits.own ? { ownLimits: limits.own } : {}),
    ...(scope.hasUI ? { hasUI: true } : {}),
    ...(scope.hasViews ? { hasViews: true } : {}),
  };
}

/** A tool that runs in a host. Answers its requests. */
class RunningTool implements RunPort {
  started: () => void = () => {};
  readonly #call: Call;
  readonly #permissions: CallPermissions;
  readonly #innerCallsOf: (call: Call) => InnerCalls;
  #inner: InnerCalls | undefined;
  /** The last partial output. It becomes the content of a call that is stopped. */
  #partial = "";
  /** The data of a refusal that the tool got, and may have failed with. */
  #refusal: typeof ALLOWABLE | undefined;

  constructor(call: Call, permissions: CallPermissions, innerCallsOf: (call: Call) => InnerCalls) {
    this.#call = call;
    this.#permissions = permissions;
    this.#innerCallsOf = innerCallsOf;
  }

  update(update: Update): void {
    const output = update.metadata?.output;
    if (typeof output === "string") this.#partial = output;
    this.#call.update(update);
  }

  async request(request: HostRequest, options?: InnerCallOptions): Promise<HostResponse> {
    if (request.kind === "call") {
      this.#inner ??= this.#innerCallsOf(this.#call);
      return this.#inner.make(request, options);
    }
    const response = await answerHostRequest(this.#call, request, this.#permissions);
    if (!response.ok && response.allowable) this.#refusal = ALLOWABLE;
    return response;
  }

  ui(request: UiRequest): Promise<unknown> {
    return this.#call.scope.session.ui(request, this.#call);
  }

  resultOf(outcome: Outcome | FileUnavailable): ToolResult {
    const { name, signal } = this.#call;
    const partial: readonly Content[] = this.#partial === "" ? [] : [{ type: "text", text: this.#partial }];
    if (outcome.kind === "unavailable") return toolUnavailable(name, outcome);
    if (outcome.kind === "died" && !signal.aborted) return crashed(name, outcome.reason, partial);
    if (signal.aborted) {
      const content = outcome.kind === "result" && outcome.result.ok ? outcome.result.content : partial;
      return stopped(this.#call, content);
    }
    return outcome.kind === "result" ? fromHost(name, outcome.result, this.#refusal) : notStarted(name);
  }
}

function fromHost(name: string, result: HostResult, refusal: unknown): ToolResult {
  const notes = {
    durationMs: 0,
    ...(result.title === undefined ? {} : { title: result.title }),
    ...(result.truncated === undefined ? {} : { truncated: result.truncated }),
    ...(result.returnedNothing ? { returnedNothing: true as const } : {}),
    ...(result.ok || result.thrownAt === undefined ? {} : { thrownAt: result.thrownAt }),
    ...(result.ok || result.causes === undefined ? {} : { causes: result.causes }),
  };
  const data = result.data === undefined ? {} : { data: result.data };
  if (result.ok) return { ok: true, content: result.content, ...data, notes };
  if (result.slow && result.code === "invalid_output") {
    return { ...slowOutput(name, result.slow, result.content), notes };
  }
  if (result.slow) return slowInput(name, result.slow);
  if (result.issues && result.code === "invalid_output") {
    return { ...invalidOutput(name, result.issues, result.content), notes };
  }
  if (result.issues) return invalidInput(name, result.issues);
  const why = result.code === "denied" ? refusal : undefined;
  return { ...failure(result.code, result.message, { content: result.content, data: why }), ...data, notes };
}
