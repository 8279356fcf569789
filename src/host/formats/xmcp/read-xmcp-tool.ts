import { basename } from "node:path";
import { type InputRequired, type InputResponses, isInputRequiredResult } from "../../../authoring/xmcp/index.ts";
import type { Schema } from "../../../core/schema.ts";
import type { Tool, ToolContext } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { buildTool, readAdvisoryOutput, readInputSchema } from "../build-tool.ts";
import type { ExportContext } from "../export-context.ts";
import { fromAnnotations } from "../frameworks/annotations.ts";
import { textParts } from "../frameworks/result-parts.ts";
import { showProgress } from "../frameworks/sdk.ts";
import { elicit } from "../mcp-module/elicit.ts";
import type { XmcpModule } from "./xmcp-module.ts";

type Handler = XmcpModule["default"];

/** Reads a tool file of xmcp. Without a name in its metadata, the tool has the name of the file. */
export async function readXmcpTool(module: XmcpModule, at: ExportContext): Promise<Tool> {
  const metadata = isObject(module.metadata) ? module.metadata : {};
  const fileName = basename(at.file.path).replace(/\.\w+$/, "");
  const name = typeof metadata.name === "string" ? metadata.name : fileName;
  const output = await readAdvisoryOutput(module.outputSchema);
  const handler = module.default;
  return buildTool(
    {
      format: "xmcp",
      ownName: name,
      description: metadata.description,
      input: await readInputSchema(module.schema, name, "schema"),
      output,
      hints: fromAnnotations(metadata.annotations),
      run: async (input, context) => toResult(await callHandler(handler, input, context, at), output, name),
      authorFunction: handler as Tool["authorFunction"],
    },
    at,
  );
}

/** How often a tool may ask the user before it gives a result. */
const MAX_ROUNDS = 20;

/** Calls the tool again with the answers of the user for as long as it asks for input. */
async function callHandler(
  handler: Handler,
  input: unknown,
  context: ToolContext,
  at: ExportContext,
): Promise<unknown> {
  let asked: InputRequired = {};
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const answers = await answersTo(asked, context, at);
    const returned = await handler(input, extraOf(context, at, answers, asked.requestState));
    if (!isInputRequiredResult(returned)) return returned;
    if (round > 0 && !Object.values(answers ?? {}).some(({ action }) => action === "accept")) break;
    asked = returned;
  }
  throw new Error("The tool asks the user, and got no answer that it accepts.");
}

async function answersTo(
  { inputRequests }: InputRequired,
  { abort }: ToolContext,
  { host }: ExportContext,
): Promise<InputResponses | undefined> {
  if (inputRequests === undefined) return undefined;
  const answers: Record<string, InputResponses[string]> = {};
  for (const [key, request] of Object.entries(inputRequests)) {
    const isQuestion = request.method === "elicitation/create";
    answers[key] = isQuestion ? await elicit(request as never, host, abort) : { action: "cancel" };
  }
  return answers;
}

function extraOf(
  context: ToolContext,
  { host }: ExportContext,
  inputResponses: InputResponses | undefined,
  requestState: unknown,
): object {
  const { abort, callID, sessionID } = context;
  return {
    signal: abort,
    authInfo: undefined,
    sessionId: sessionID,
    _meta: { progressToken: callID },
    requestId: callID,
    requestInfo: undefined,
    clientInfo: { name: "toolwright" },
    inputResponses,
    requestState,
    sendNotification: async (notification: unknown) => showProgress(notification, context),
    elicit: (params: object) => elicit({ method: "elicitation/create", params } as never, host, abort),
    sendRequest: () => Promise.reject(new Error("sendRequest() is not available in Toolwright.")),
    sample: () =>
      Promise.reject(new Error("sample() is not available in Toolwright: no model is attached to the call.")),
  };
}

/** A result of MCP is returned unchanged. With an output schema, a plain object or value is the structured content. */
async function toResult(returned: unknown, output: Schema | undefined, name: string): Promise<unknown> {
  if (typeof returned === "string" || typeof returned === "number") {
    const content = textParts(String(returned));
    const data = output && (await asOnlyField(returned, output));
    return { content, ...(data === undefined ? {} : { structuredContent: data }) };
  }
  if (typeof returned !== "object" || returned === null) {
    throw new Error(
      `"${name}" returned ${returned}. Return a string, a number or { content: [{ type: "text", text }] }.`,
    );
  }
  const isResult = ["content", "structuredContent", "isError", "_meta"].some((key) => key in returned);
  if (isResult) return "content" in returned ? returned : { content: [], ...returned };
  return output === undefined || Array.isArray(returned) ? returned : { content: [], structuredContent: returned };
}

/** The value as the field of an output schema with one field, if it fits. */
async function asOnlyField(value: unknown, output: Schema): Promise<object | undefined> {
  const fields = Object.keys(output.json.properties ?? {});
  const [field] = fields;
  if (field === undefined || fields.length > 1) return undefined;
  const data = { [field]: value };
  return (await output.check(data)).ok ? data : undefined;
}
