import type { Run } from "../../calls/call.ts";
import { type Builtins, isSelected } from "../../catalog/builtin-selection.ts";
import { identityOf, type ToolInfo } from "../../catalog/registry/registry-entry.ts";
import type { Update } from "../../core/events.ts";
import {
  type Content,
  type FileContent,
  type ImageContent,
  type TextContent,
  type ToolResult,
  textOf,
} from "../../core/result.ts";
import type { ShownTool } from "../../core/tool.ts";
import { wellFormed } from "../../platform/text/well-formed.ts";
import { defined } from "../../platform/values/defined.ts";
import { SHARED_SESSION_ID } from "../../sessions/log/session-id.ts";
import { attachmentLine } from "../../toolbox/attachment-line.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { isBase64, isModelImage } from "../client-limits/model-image.ts";

/** Which tools a library is given, and on whose behalf they are called. */
export interface AgentView {
  /** Which built-in tools are included: none by default. If a model gets them, the toolbox should ask: `callerIsAsked: false`. */
  readonly builtins?: Builtins;
  /** The name of the agent, for permission rules and for the context of calls. Tools that are denied to it entirely are left out. */
  readonly agent?: string;
  /**
   * The provider of the model (`anthropic`), or the model (`openai/gpt-5`): tools for other models are left out, and schemas are
   * adapted to what its API accepts.
   */
  readonly provider?: string;
  /** The session of the calls; by default the session that the library names, else "default". */
  readonly sessionID?: string;
}

/** A part of a result that a library passes to its model. */
export type CarriedContent = TextContent | ImageContent | (FileContent & { readonly data: string });

/** The result of a call, for a library. */
export interface AdaptedResult {
  readonly ok: boolean;
  /** Never empty. For a failed call, the message comes first. Attachments that the library cannot carry are lines of text. */
  readonly content: readonly CarriedContent[];
  /** The text parts of the content. */
  readonly text: string;
  /** The content as the tool returned it, with all attachments. */
  readonly returned: readonly Content[];
  readonly data?: unknown;
}

/** The data that a library passes with a call. */
export interface AdaptedCall {
  readonly callID?: string | undefined;
  /** The session as the library names it. */
  readonly sessionID?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether the result may only have text. */
  readonly textOnly?: boolean;
}

/** A call in progress. */
interface AdaptedRun {
  readonly callID: string;
  /** Ends when the call ends. */
  updates(): AsyncIterable<Update>;
  /** Never rejects. */
  readonly result: Promise<AdaptedResult>;
}

/** A tool as a library is given it. */
export interface AdaptedTool extends Omit<ShownTool, "outputSchema"> {
  readonly title?: string;
  call(input: unknown, call: AdaptedCall): AdaptedRun;
}

/** What a library, and the model API behind it, accepts. */
export interface LibraryLimits {
  /** The tools with the names and schemas that the model is shown, in the same order. */
  fit(tools: readonly ToolInfo[]): readonly Omit<ShownTool, "outputSchema">[];
  /** Whether the library passes this attachment to its model. */
  carries(attachment: CarriedContent): boolean;
}

/** Whether the view includes a tool that its agent and model may use. */
export function isInView({ name, source }: ToolInfo, { builtins = false }: AgentView): boolean {
  return source !== "builtin" || isSelected(name, builtins);
}

/** The tools that the view includes, with names and schemas that the library accepts. */
export function adaptTools(toolbox: Toolbox, view: AgentView, limits: LibraryLimits): AdaptedTool[] {
  const { agent, provider } = view;
  const listed = toolbox.list({ agent: agent ?? "", ...defined({ provider }) });
  const tools = listed.filter((tool) => isInView(tool, view));
  const shown = limits.fit(tools);
  const from = { toolbox, carries: limits.carries };
  return tools.map((tool, at) => {
    const { name, description, inputSchema } = shown[at] ?? tool;
    const { title } = tool.hints;
    return {
      name,
      ...defined({ title }),
      description: description.toWellFormed(),
      inputSchema: wellFormed(inputSchema),
      call: (input, call) => start(tool, input, { ...call, ...defined({ agent, sessionID: view.sessionID }) }, from),
    };
  });
}

type Carries = LibraryLimits["carries"];

function start(
  tool: ToolInfo,
  input: unknown,
  { callID, sessionID, signal, agent, textOnly }: AdaptedCall & Pick<AgentView, "agent">,
  from: { readonly toolbox: Toolbox; readonly carries: Carries },
): AdaptedRun {
  const { name } = tool;
  const { toolbox } = from;
  const current = toolbox.get(name);
  if (current && identityOf(current) !== identityOf(tool)) return replaced(name, callID);
  const run = toolbox.call({ name, input, ...defined({ callID, sessionID, signal, agent }) });
  const carries = textOnly ? () => false : from.carries;
  const owner = { sessionID: sessionID ?? SHARED_SESSION_ID, callID: run.callID };
  return {
    callID: run.callID,
    updates: () => updatesOf(run),
    result: run.result.then((result) => adaptResult(result, (part) => carryOrLine(part, carries, toolbox, owner))),
  };
}

/** A library keeps the tools that it was given. A name must not run another tool than the one that the model was shown. */
function replaced(name: string, callID: string | undefined): AdaptedRun {
  const text = `"${name}" was not run: it has been replaced by another tool since the model was given its description.`;
  return { callID: callID ?? crypto.randomUUID(), async *updates() {}, result: Promise.resolve(failureOf(text)) };
}

/** The result of a call that was not made. */
export function failureOf(text: string): AdaptedResult {
  return { ok: false, content: [{ type: "text", text }], text, returned: [] };
}

async function* updatesOf(run: Run): AsyncGenerator<Update> {
  for await (const event of run) {
    if (event.type !== "tool.update") continue;
    yield defined({ title: event.title, metadata: event.metadata });
  }
}

async function adaptResult(
  result: ToolResult,
  adapt: (part: Content) => Promise<CarriedContent>,
): Promise<AdaptedResult> {
  const parts = await Promise.all(shownParts(result).map(adapt));
  const content = parts.length > 0 ? parts : [{ type: "text", text: "" } as const];
  const { ok, data } = result;
  return { ok, content, text: textOf(content), returned: result.content, ...(data === undefined ? {} : { data }) };
}

/** A failed call begins with its message, followed by its output unless that is the same text. */
function shownParts(result: ToolResult): readonly Content[] {
  if (result.ok) return result.content;
  const { error, content } = result;
  const rest = textOf(content) === error.message ? content.filter(({ type }) => type !== "text") : content;
  return [{ type: "text", text: error.message }, ...rest];
}

/** Model APIs and some libraries reject text with lone surrogates. */
async function carryOrLine(
  part: Content,
  carries: Carries,
  toolbox: Toolbox,
  owner: { readonly sessionID: string; readonly callID: string },
): Promise<CarriedContent> {
  if (part.type === "text") return { type: "text", text: part.text.toWellFormed() };
  if (part.data !== undefined && carries(part as CarriedContent)) return part as CarriedContent;
  return { type: "text", text: (await attachmentLine(toolbox, part, owner)).toWellFormed() };
}

/** The text for a model whose API has no mark for a failed call. */
export function markedText({ ok, text }: AdaptedResult): string {
  return ok ? text : `Error: ${text}`;
}

/** Whether an attachment is an image or a PDF document: model APIs read no other files. */
export function isImageOrPdf(part: CarriedContent): boolean {
  return isModelImage(part) || (part.type === "file" && part.mimeType === "application/pdf" && isBase64(part.data));
}

/** An attachment as a `data:` URL. */
export function dataUrl({ mimeType, data }: { readonly mimeType: string; readonly data: string }): string {
  return `data:${mimeType};base64,${data}`;
}
