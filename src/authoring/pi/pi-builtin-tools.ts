import { createEditTool } from "./edit-tool.ts";
import { createReadTool, createWriteTool } from "./file-tools.ts";
import { lazyValue } from "./lazy-value.ts";
import type { PiTool } from "./pi-tool.ts";
import { createFindTool, createGrepTool, createLsTool } from "./search-tools.ts";
import { type BashToolOptions, createBashTool } from "./shell-tools.ts";

export { createEditTool, createEditToolDefinition } from "./edit-tool.ts";
export { createReadTool, createReadToolDefinition, createWriteTool, createWriteToolDefinition } from "./file-tools.ts";
export {
  createFindTool,
  createFindToolDefinition,
  createGrepTool,
  createGrepToolDefinition,
  createLsTool,
  createLsToolDefinition,
} from "./search-tools.ts";
export {
  createBashTool,
  createBashToolDefinition,
  createLocalBashOperations,
  createPowerShellTool,
  createPowerShellToolDefinition,
  getShellConfig,
} from "./shell-tools.ts";

/** The options of each tool, by its name. */
type ToolsOptions = Readonly<Record<string, object | undefined>>;

const CREATE: Readonly<Record<string, (cwd?: string, options?: object) => PiTool>> = {
  read: createReadTool,
  bash: (cwd, options) => createBashTool(cwd, options as BashToolOptions),
  edit: createEditTool,
  write: createWriteTool,
  grep: createGrepTool,
  find: createFindTool,
  ls: createLsTool,
};

const create = (names: readonly string[], cwd?: string, options: ToolsOptions = {}): PiTool[] =>
  names.flatMap((name) => CREATE[name]?.(cwd, options[name]) ?? []);

type CreateTools = (cwd?: string, options?: ToolsOptions) => PiTool[];

export const createCodingTools: CreateTools = (...at) => create(["read", "bash", "edit", "write"], ...at);
export const createReadOnlyTools: CreateTools = (...at) => create(["read", "grep", "find", "ls"], ...at);

export function createAllTools(cwd?: string, options?: ToolsOptions): Record<string, PiTool> {
  return Object.fromEntries(create(Object.keys(CREATE), cwd, options).map((tool) => [tool.name, tool]));
}

/** The tools that older versions export ready to use, with the working directory of the session. */
export const readTool: PiTool = readyMade("read");
export const bashTool: PiTool = readyMade("bash");
export const editTool: PiTool = readyMade("edit");
export const writeTool: PiTool = readyMade("write");
export const grepTool: PiTool = readyMade("grep");
export const findTool: PiTool = readyMade("find");
export const lsTool: PiTool = readyMade("ls");
export const codingTools: readonly PiTool[] = [readTool, bashTool, editTool, writeTool];
export const readOnlyTools: readonly PiTool[] = [readTool, grepTool, findTool, lsTool];

function readyMade(name: string): PiTool {
  return lazyValue(() => create([name])[0] as PiTool);
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
