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
