import { isObject } from "../../core/is-object.ts";
import { unavailable } from "./unavailable.ts";

/** A stand-in for a built-in tool of pi. It can be wrapped and spread, but fails when it is called. */
export interface PiBuiltinTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: object;
  execute(...args: unknown[]): Promise<never>;
}

const BUILTIN_MARKER = Symbol.for("toolwright.pi-own");

/** Whether a tool wraps a built-in tool of pi: it then has its parameters. */
export function isPiBuiltinTool({ parameters }: { readonly parameters?: unknown }): boolean {
  return isObject(parameters) && BUILTIN_MARKER in parameters;
}

function standIn(name: string): PiBuiltinTool {
  const fail = unavailable(`The built-in tool "${name}" of pi`);
  return {
    name,
    label: name,
    description: `The built-in tool "${name}" of pi.`,
    parameters: { type: "object", properties: {}, [BUILTIN_MARKER]: true },
    execute: async () => fail(),
  };
}

type CreateTool = (...args: unknown[]) => PiBuiltinTool;

export const createBashTool: CreateTool = () => standIn("bash");
export const createBashToolDefinition: CreateTool = createBashTool;
export const createEditTool: CreateTool = () => standIn("edit");
export const createEditToolDefinition: CreateTool = createEditTool;
export const createFindTool: CreateTool = () => standIn("find");
export const createFindToolDefinition: CreateTool = createFindTool;
export const createGrepTool: CreateTool = () => standIn("grep");
export const createGrepToolDefinition: CreateTool = createGrepTool;
export const createLsTool: CreateTool = () => standIn("ls");
export const createLsToolDefinition: CreateTool = createLsTool;
export const createPowerShellTool: CreateTool = () => standIn("powershell");
export const createPowerShellToolDefinition: CreateTool = createPowerShellTool;
export const createReadTool: CreateTool = () => standIn("read");
export const createReadToolDefinition: CreateTool = createReadTool;
export const createWriteTool: CreateTool = () => standIn("write");
export const createWriteToolDefinition: CreateTool = createWriteTool;

export function createCodingTools(): PiBuiltinTool[] {
  return ["read", "bash", "edit", "write"].map(standIn);
}

export function createReadOnlyTools(): PiBuiltinTool[] {
  return ["read", "grep", "find", "ls"].map(standIn);
}

/** An event of a call, as handlers of pi receive it. */
export interface NamedToolEvent {
  readonly toolName: string;
}

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
