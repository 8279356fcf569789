import { ToolError, type ToolErrorCode } from "../../core/error.ts";
import { type Content, type ShapedResult, textOf } from "../../core/result.ts";
import type { SessionSnapshot } from "../../core/session.ts";
import type { CallContext, CallLimits, Tool } from "../../core/tool.ts";
import { boundedData, cutResult, MAX_TITLE } from "../output/bounded-result.ts";
import { shape } from "../output/shape-result.ts";
import type { CallPort } from "../protocol/hosts.ts";
import type { HostCall, HostResult } from "../protocol/messages.ts";
import { Progress } from "../protocol/progress.ts";
import { type BunNeed, bunNeedOf, NeedsBun } from "../protocol/source-problem.ts";
import { SlowCheck } from "../schema/slow-check.ts";
import { contextRequests } from "./context-requests.ts";
import { explainThrown } from "./explain-thrown.ts";
import { StreamedOutput } from "./streamed-output.ts";
import { truncateIssues } from "./truncate-issues.ts";
import { assertUsable, type CheckedOutput, checkOutput } from "./validate-output.ts";

/** A tool and a call of it, with what the call needs from the host. */
interface ToolCall {
  readonly tool: Tool;
  readonly call: HostCall;
  readonly signal: AbortSignal;
  readonly port: CallPort;
  readonly scope: { readonly session: SessionSnapshot };
  /** The path of the author's module, if the tool has one. */
  readonly entry: string | undefined;
}

/** Runs a call in the host: validates the input, runs the tool, converts and cuts its result. Never rejects. */
export async function runCall(running: ToolCall): Promise<HostResult> {
  const { tool, call, port } = running;
  const progress = new Progress((update) => port.update(update));
  const written = new StreamedOutput(call.output, call.context, progress);
  try {
    const defined = tool.forAgent ? await definedFor(tool, call.context.agent) : tool;
    const checked = await defined.input.check(call.input);
    if (!checked.ok) {
      return { ok: false, code: "invalid_input", message: "", issues: truncateIssues(checked.issues), content: [] };
    }
    if (tool.output) await assertUsable(tool.output);
    const returned = await defined.run(checked.value, contextOf(running, progress, written));
    if (tool.output) return finishDeclared(call, await checkOutput(tool.output, returned), written);
    const result = finish(call, shape(returned), written);
    return returned === undefined && written.isEmpty ? { ...result, returnedNothing: true } : result;
  } catch (error) {
    if (SlowCheck.is(error)) return { ok: false, code: "timeout", message: "", slow: error.parts, content: [] };
    const { message, ...thrown } = await explainThrown(error, running.entry);
    return { ...failure(call, codeOf(error), whyOf(error, message), written), ...thrown };
  } finally {
    written.close();
    progress.flush();
  }
}

/** The parts of a tool that its author may define for the agent that makes a call. */
export async function definedFor(tool: Tool, agent: string): Promise<Pick<Tool, "input" | "access" | "run">> {
  return tool.forAgent && agent !== "" ? tool.forAgent(agent) : tool;
}

function contextOf({ call, signal, port, scope }: ToolCall, progress: Progress, written: StreamedOutput): CallContext {
  const { session } = scope;
  const { callBuiltin, ...services } = contextRequests((request, options) => port.request(request, options));
  return {
    author: {
      ...call.context,
      messages: session.messages ?? [],
      abort: signal,
      metadata: (update) => progress.report(update),
      write: (text) => written.write(String(text)),
      limits: limitsOf(call),
      ...services,
    },
    session,
    partial: (result) => progress.report(asUpdate(shape(result))),
    callBuiltin,
  };
}

function limitsOf({ output: { maxLines, maxBytes, keep }, timeoutMs, ownLimits = {} }: HostCall): CallLimits {
  return { timeoutMs, maxLines, maxBytes, keep, own: ownLimits };
}

/** A partial result as progress: its text is kept if the call is killed. */
function asUpdate({ title, content, data }: ShapedResult): { title?: string; metadata: Record<string, unknown> } {
  const details = typeof data === "object" && data !== null && !Array.isArray(data) ? { ...data } : { data };
  const metadata = { ...(data === undefined ? {} : details), output: textOf(content) };
  return { ...(title === undefined ? {} : { title }), metadata };
}

function finish(call: HostCall, shaped: ShapedResult, written: StreamedOutput): HostResult {
  const title = shaped.title === undefined ? {} : { title: shaped.title.slice(0, MAX_TITLE) };
  const data = shaped.data === undefined ? {} : { data: boundedData(shaped.data, call.output, call.context) };
  if (shaped.isError) {
    const message = textOf(shaped.content) || "The tool reported an error without a message.";
    return { ...failure(call, "failed", message, written), ...title, ...data };
  }
  const content = written.isEmpty ? cut(call, shaped.content) : written.end(shaped.content);
  return { ok: true, ...content, ...title, ...data };
}

/** The call fails if its data does not match the declared output, or is too large. */
function finishDeclared(call: HostCall, checked: CheckedOutput, written: StreamedOutput): HostResult {
  const said = (content: readonly Content[]): Pick<HostResult, "content" | "truncated"> =>
    written.isEmpty ? cut(call, content) : written.end(content);
  if (checked.kind === "misfit") {
    return {
      ok: false,
      code: "invalid_output",
      message: "",
      issues: truncateIssues(checked.issues),
      ...said(checked.content),
    };
  }
  if (checked.kind === "slow") {
    return { ok: false, code: "invalid_output", message: "", slow: checked.parts, ...said(checked.content) };
  }
  const { shaped } = checked;
  const json = shaped.isError || shaped.data === undefined ? "" : JSON.stringify(shaped.data);
  const bytes = Buffer.byteLength(json);
  if (bytes <= call.output.maxBytes) return finish(call, shaped, written);
  const kept = said([{ type: "text", text: json }, ...shaped.content.filter(({ type }) => type !== "text")]);
  return { ok: false, code: "invalid_output", message: tooLarge(call, bytes, kept.truncated?.fullOutput), ...kept };
}

function tooLarge({ tool, output }: HostCall, bytes: number, path: string | undefined): string {
  const where = path === undefined ? "" : ` The full output is in ${path}.`;
  return `"${tool}" has run, but its structured output has ${bytes} bytes; the limit is ${output.maxBytes}.${where} Ask it for less, or raise "maxBytes" in the settings.`;
}

/** Output that was written before the failure is kept. */
function failure(call: HostCall, code: ToolErrorCode, message: string, written: StreamedOutput): HostResult {
  const { content, ...rest } = cut(call, [{ type: "text", text: message }]);
  const said = written.isEmpty ? { content: [] } : written.end();
  return { ok: false, code, message: textOf(content), ...rest, ...said };
}

function cut(call: HostCall, content: readonly Content[]): Pick<HostResult, "content" | "truncated"> {
  return cutResult({ content }, call.output, call.context);
}

/** Code of a package that uses Bun only when it is called is not moved to Bun by itself. */
function whyOf(error: unknown, message: string): string {
  const need = bunNeedOf(error);
  if (!need) return message;
  const reason = error instanceof NeedsBun ? reasonOf(need) : `${message.replace(/\.$/, "")}.`;
  return `${reason} This tool runs in Node, where Bun is missing. To run all tools in Bun, install Bun and set "runtime": "bun" in the settings.`;
}

function reasonOf({ reason, file }: BunNeed): string {
  return file === undefined ? reason : `${file}: ${reason}`;
}

const THROWN_CODES = new Set<ToolErrorCode>(["denied", "failed", "invalid_output"]);

function codeOf(error: unknown): ToolErrorCode {
  return ToolError.is(error) && THROWN_CODES.has(error.code) ? error.code : "failed";
}
