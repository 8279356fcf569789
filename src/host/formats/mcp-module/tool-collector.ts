import type { Tool } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import type { Contributions, ExportProblem } from "../contributions.ts";
import { type ExportContext, toProblem } from "../export-context.ts";
import { readSdkTool } from "../frameworks/sdk.ts";

type Handler = (...args: unknown[]) => unknown;

interface Registered {
  readonly name: string;
  config: Record<string, unknown>;
  readonly handler: Handler;
}

/**
 * Stands in for a server of the MCP SDK where no SDK is installed: files that add tools to a server may import nothing but its
 * type. Resources and prompts are accepted without effect.
 */
export class ToolCollector {
  readonly #tools = new Map<string, Registered>();

  registerTool(name: string, config: unknown, handler: Handler): object {
    return this.#add(name, isObject(config) ? config : {}, handler);
  }

  /** `tool(name, [description], [shape], [annotations], callback)` of the first version of the SDK. */
  tool(name: string, ...rest: unknown[]): object {
    const handler = rest.at(-1) as Handler;
    const description = rest.find((each) => typeof each === "string");
    const [shape, annotations] = rest.slice(0, -1).filter(isObject);
    const isHints = shape !== undefined && annotations === undefined && isAnnotations(shape);
    const hints = isHints ? shape : annotations;
    return this.#add(name, { description, ...(isHints ? {} : { inputSchema: shape }), annotations: hints }, handler);
  }

  /** `addTool({ name, description, parameters, execute })` of FastMCP. */
  addTool(tool: { readonly name: string; readonly execute: Handler } & Record<string, unknown>): void {
    this.#add(tool.name, { ...tool, inputSchema: tool.parameters }, tool.execute);
  }

  registerResource(): object {
    return {};
  }

  resource(): object {
    return {};
  }

  registerPrompt(): object {
    return {};
  }

  prompt(): object {
    return {};
  }

  async read(at: ExportContext): Promise<Contributions> {
    const tools: Tool[] = [];
    const problems: ExportProblem[] = [];
    for (const { name, config, handler } of this.#tools.values()) {
      const here = { ...at, member: name };
      const { inputSchema, ...others } = config;
      // Without a schema, the handler gets the context alone.
      const call: Handler = inputSchema === undefined ? (_, context) => handler(context) : handler;
      const described = { ...others, ...(inputSchema === undefined ? {} : { inputSchema }) };
      try {
        const tool = await readSdkTool({ name, config: described, handler: withContext(call) }, here);
        tools.push({ ...tool, origin: { ...tool.origin, format: "mcp-module" } });
      } catch (thrown) {
        problems.push(toProblem(thrown, here));
      }
    }
    return { tools, problems, about: { format: "mcp-module", why: at.why, unsupportedFeatures: [] } };
  }

  #add(name: string, config: Record<string, unknown>, handler: Handler): object {
    if (this.#tools.has(name)) throw new Error(`Tool ${name} is already registered`);
    const tool: Registered = { name, config, handler };
    this.#tools.set(name, tool);
    const remove = (): void => void this.#tools.delete(name);
    return {
      remove,
      disable: remove,
      enable: () => void this.#tools.set(name, tool),
      update: (changes: Record<string, unknown>) => void Object.assign(tool.config, changes),
    };
  }
}

const ANNOTATION = /^(?:title|readOnlyHint|destructiveHint|idempotentHint|openWorldHint)$/;

/** A shape has schemas as values, annotations have texts and booleans. */
function isAnnotations(value: object): boolean {
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([key, each]) => ANNOTATION.test(key) && typeof each !== "object");
}

/** Adds the names of the second version of the SDK to those of the first. */
function withContext(handler: Handler): Handler {
  return (input, context) => {
    const given = context as { signal: AbortSignal; requestId: string; sendNotification: Handler };
    const { signal, requestId: id, sendNotification: notify } = given;
    return handler(input, { ...given, mcpReq: { signal, id, notify } });
  };
}
