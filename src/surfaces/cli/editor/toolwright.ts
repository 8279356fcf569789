/** What tool files import, as types for editors: bundled with all they need, `toolwright init` puts them beside the tools. */
export type {
  Access,
  AskRequest,
  Hints,
  Limits,
  ToolContext,
  ToolDefinition,
  ToolErrorCode,
} from "../../../index.ts";
export { ToolError, tool } from "../../../index.ts";
