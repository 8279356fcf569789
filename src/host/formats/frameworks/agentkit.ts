import type { Tool, ToolContext } from "../../../core/tool.ts";
import { buildTool, readDeclaredInput } from "../build-tool.ts";
import type { ExportContext } from "../export-context.ts";
import { plainResult } from "./result-parts.ts";
import { needsAgent, sessionValues, storeOf } from "./session-values.ts";

/** The return value of `createTool()` of AgentKit. */
interface AgentKitTool {
  readonly name: string;
  readonly description?: unknown;
  readonly parameters?: unknown;
  handler(input: unknown, options: object): unknown;
}

export async function readAgentKitTool(definition: AgentKitTool, at: ExportContext): Promise<Tool> {
  const { name, description, parameters } = definition;
  return buildTool(
    {
      format: "agentkit",
      ownName: name,
      description,
      // Every tool has this field.
      input: await readDeclaredInput(parameters === undefined ? {} : { parameters }, ["parameters"], name),
      run: async (input, context) => plainResult(await definition.handler(input, optionsOf(context, at))),
      authorFunction: definition.handler,
    },
    at,
  );
}

/** The second argument of a handler in AgentKit, in addition to the context of every tool. */
function optionsOf(context: ToolContext, { host }: ExportContext): object {
  const { agent: name, sessionID, messages } = context;
  const data = sessionValues(host, "agentkit", sessionID);
  const state = { data, kv: storeOf(data), messages, results: [], threadId: sessionID };
  return {
    ...context,
    agent: { name, description: "", tools: new Map() },
    network: { name: sessionID, state, agents: new Map(), ...needsAgent("AgentKit", ["run", "schedule"]) },
    step: STEP,
  };
}

/** Steps of Inngest run at once and are not stored. */
const STEP = {
  run: async (_id: unknown, work: (...args: unknown[]) => unknown, ...args: unknown[]) => work(...args),
  ai: {
    wrap: async (_id: unknown, work: (...args: unknown[]) => unknown, ...args: unknown[]) => work(...args),
    ...needsAgent("Inngest", ["infer"]),
  },
  ...needsAgent("Inngest", ["sleep", "sleepUntil", "invoke", "sendEvent", "waitForEvent", "waitForSignal", "fetch"]),
};
