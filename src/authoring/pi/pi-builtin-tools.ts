import { unavailable } from "./unavailable.ts";

/** One of pi's own tools: it can be taken apart and put together anew, and fails when it is called. */
export interface PiBuiltinTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: object;
  execute(...args: unknown[]): Promise<never>;
}

const MARK = Symbol.for("toolwright.pi-own");

/** Whether a tool is made of one of pi's own: it has the parameters of that, and goes on to it when it is called. */
export function isPiBuiltinTool({ parameters }: { readonly parameters?: unknown }): boolean {
  return typeof parameters === "object" && parameters !== null && MARK in parameters;
}

function make(name: string): PiBuiltinTool {
  const absent = unavailable(`Pi's own tool "${name}"`);
  return {
    name,
    label: name,
    description: `Pi's own tool "${name}".`,
    parameters: { type: "object", properties: {}, [MARK]: true },
    execute: async () => absent(),
  };
}

type Maker = (...args: unknown[]) => PiBuiltinTool;

export const createBashTool: Maker = () => make("bash");
export const createBashToolDefinition: Maker = createBashTool;
export const createEditTool: Maker = () => make("edit");
export const createEditToolDefinition: Maker = createEditTool;
export const createFindTool: Maker = () => make("find");
export const createFindToolDefinition: Maker = createFindTool;
export const createGrepTool: Maker = () => make("grep");
export const createGrepToolDefinition: Maker = createGrepTool;
export const createLsTool: Maker = () => make("ls");
export const createLsToolDefinition: Maker = createLsTool;
export const createPowerShellTool: Maker = () => make("powershell");
export const createPowerShellToolDefinition: Maker = createPowerShellTool;
export const createReadTool: Maker = () => make("read");
export const createReadToolDefinition: Maker = createReadTool;
export const createWriteTool: Maker = () => make("write");
export const createWriteToolDefinition: Maker = createWriteTool;

export function createCodingTools(): PiBuiltinTool[] {
  return ["read", "bash", "edit", "write"].map(make);
}

export function createReadOnlyTools(): PiBuiltinTool[] {
  return ["read", "grep", "find", "ls"].map(make);
}

/** An event about a call, as pi's handlers get it. */
export interface NamedToolEvent {
  readonly toolName: string;
}

/** Whether an event is about the tool of that name. */
export function isToolCallEventType<N extends string, I extends Record<string, unknown> = Record<string, unknown>>(
  toolName: N,
  event: NamedToolEvent,
): event is NamedToolEvent & { toolName: N; input: I } {
  return event.toolName === toolName;
}

export const isBashToolResult = (event: NamedToolEvent): boolean => event.toolName === "bash";
export const isPowerShellToolResult = (event: NamedToolEvent): boolean => event.toolName === "powershell";
export const isReadToolResult = (event: NamedToolEvent): boolean => event.toolName === "read";
export const isEditToolResult = (event: NamedToolEvent): boolean => event.toolName === "edit";
export const isWriteToolResult = (event: NamedToolEvent): boolean => event.toolName === "write";
export const isGrepToolResult = (event: NamedToolEvent): boolean => event.toolName === "grep";
export const isFindToolResult = (event: NamedToolEvent): boolean => event.toolName === "find";
export const isLsToolResult = (event: NamedToolEvent): boolean => event.toolName === "ls";
