import type { Update } from "../core/events.ts";
import type { Content, ToolResult } from "../core/result.ts";
import type { Limits } from "../core/tool.ts";
import type { FileUnavailable, Hosts, Outcome } from "../protocol/hosts.ts";
import type { HostRequest, HostResponse, HostResult, OutputLimits, UiRequest } from "../protocol/messages.ts";
import type { Call } from "./call.ts";
import { crashed, failure, invalidInput, invalidOutput, notStarted, stopped, unavailable } from "./failures.ts";

/** What the innermost act needs: a place to run in, limits, and somebody who answers the tool's questions. */
export interface RunOptions {
  readonly hosts: Hosts;
  readonly outputLimits: (call: Call) => OutputLimits;
  /** The tool's own limits, where it has any. */
  readonly ownLimits: (call: Call) => Limits["own"];
  readonly meet: (call: Call, request: HostRequest) => Promise<HostResponse>;
  /** Calls the user interface that is attached, and stops the clock where a person is asked. Must not reject. */
  readonly ui: (request: UiRequest, call: Call) => Promise<unknown>;
}

/** The innermost act of the pipeline: the tool runs where its code is, and comes back shaped and cut. */
export function createRunTool(options: RunOptions): (call: Call) => Promise<ToolResult> {
  return async (call) => {
    const streamed = new Streamed();
    const port = {
      update: (update: Update) => {
        streamed.keep(update);
        call.update(update);
      },
      request: (request: HostRequest) => options.meet(call, request),
      ui: (request: UiRequest) => options.ui(request, call),
    };
    const own = options.ownLimits(call);
    const hostCall = {
      file: call.entry.ref.file.file,
      tool: call.entry.manifest.name,
      input: call.input,
      context: call.context,
      ...(call.session ? { session: call.session } : {}),
      output: options.outputLimits(call),
      timeoutMs: call.timeoutMs,
      ...(own ? { own } : {}),
    };
    const { ref } = call.entry;
    const outcome = await call.clock.countFrom((started) =>
      options.hosts.run(ref, hostCall, { ...port, started }, call.signal),
    );
    return toResult(call, outcome, streamed.content);
  };
}

function toResult(call: Call, outcome: Outcome | FileUnavailable, streamed: readonly Content[]): ToolResult {
  const { name } = call;
  if (outcome.kind === "unavailable") return unavailable(name, outcome);
  if (outcome.kind === "died" && !call.signal.aborted) return crashed(name, outcome.reason, streamed);
  if (call.signal.aborted) {
    const said = outcome.kind === "result" && outcome.result.ok ? outcome.result.content : streamed;
    return stopped(call, said);
  }
  if (outcome.kind === "result") return fromHost(name, outcome.result);
  return notStarted(name);
}

function fromHost(name: string, result: HostResult): ToolResult {
  const notes = {
    durationMs: 0,
    ...(result.title === undefined ? {} : { title: result.title }),
    ...(result.truncated === undefined ? {} : { truncated: result.truncated }),
  };
  const data = result.data === undefined ? {} : { data: result.data };
  if (result.ok) return { ok: true, content: result.content, ...data, notes };
  if (result.issues && result.code === "invalid_output") {
    return { ...invalidOutput(name, result.issues, result.content), notes };
  }
  if (result.issues) return invalidInput(name, result.issues);
  return { ...failure(result.code, result.message, { content: result.content }), ...data, notes };
}

/** What a tool has shown so far: all there is to keep of a call that is ended from outside. */
class Streamed {
  #text = "";

  keep({ metadata }: Update): void {
    if (typeof metadata?.output === "string") this.#text = metadata.output;
  }

  get content(): readonly Content[] {
    return this.#text === "" ? [] : [{ type: "text", text: this.#text }];
  }
}
