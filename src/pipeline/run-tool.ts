import type { Update } from "../core/events.ts";
import type { Content, ToolResult } from "../core/result.ts";
import type { InnerCallOptions } from "../core/tool.ts";
import type { FileUnavailable, Hosts, Outcome } from "../protocol/hosts.ts";
import type { HostRequest, HostResponse, HostResult, UiRequest } from "../protocol/messages.ts";
import type { Call } from "./call.ts";
import type { CallPermissions } from "./call-permissions.ts";
import {
  ALLOWABLE,
  crashed,
  failure,
  invalidInput,
  invalidOutput,
  notStarted,
  stopped,
  unavailable,
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
    let inner: InnerCalls | undefined;
    let refusal: typeof ALLOWABLE | undefined;
    const callBuiltin = (
      request: HostRequest & { kind: "call" },
      options?: InnerCallOptions,
    ): Promise<HostResponse> => {
      inner ??= innerCallsOf(call);
      return inner.make(request, options);
    };
    const partial = new PartialOutput();
    const { limits, entry, scope } = call;
    const { session } = scope;
    const port = {
      update: (update: Update) => {
        partial.record(update);
        call.update(update);
      },
      request: async (request: HostRequest, options?: InnerCallOptions) => {
        const response = await answerHostRequest(call, request, permissions, (asked) => callBuiltin(asked, options));
        if (!response.ok && response.allowable) refusal = ALLOWABLE;
        return response;
      },
      ui: (request: UiRequest) => session.ui(request, call),
    };
    const hostCall = {
      file: entry.ref.file.file,
      tool: entry.manifest.name,
      input: call.input,
      context: call.context,
      ...(session.snapshot ? { session: session.snapshot } : {}),
      output: limits.output,
      timeoutMs: call.timeoutMs,
      ...(limits.own ? { ownLimits: limits.own } : {}),
      ...(scope.hasUI ? { hasUI: true as const } : {}),
      ...(scope.hasViews ? { hasViews: true as const } : {}),
    };
    const outcome = await call.clock.countFrom((started) =>
      hosts.run(entry.ref, hostCall, { ...port, started }, call.signal),
    );
    return toResult(call, outcome, partial.content, refusal);
  };
}

/** `refusal` is the data of a refusal that the running tool got, and may have failed with. */
function toResult(
  call: Call,
  outcome: Outcome | FileUnavailable,
  partial: readonly Content[],
  refusal: unknown,
): ToolResult {
  const { name } = call;
  if (outcome.kind === "unavailable") return unavailable(name, outcome);
  if (outcome.kind === "died" && !call.signal.aborted) return crashed(name, outcome.reason, partial);
  if (call.signal.aborted) {
    const content = outcome.kind === "result" && outcome.result.ok ? outcome.result.content : partial;
    return stopped(call, content);
  }
  if (outcome.kind === "result") return fromHost(name, outcome.result, refusal);
  return notStarted(name);
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
  if (result.issues && result.code === "invalid_output") {
    return { ...invalidOutput(name, result.issues, result.content), notes };
  }
  if (result.issues) return invalidInput(name, result.issues);
  const why = result.code === "denied" ? refusal : undefined;
  return { ...failure(result.code, result.message, { content: result.content, data: why }), ...data, notes };
}

/** The last partial output of a tool. It becomes the content of a call that is stopped. */
class PartialOutput {
  #text = "";

  record({ metadata }: Update): void {
    if (typeof metadata?.output === "string") this.#text = metadata.output;
  }

  get content(): readonly Content[] {
    return this.#text === "" ? [] : [{ type: "text", text: this.#text }];
  }
}
