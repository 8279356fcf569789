/** What tool files import, as types for editors: bundled with all they need, `toolwright init` puts them beside the tools. */
export type {
  Access,
  AskRequest,
  CustomTool,
  CustomToolAPI,
  CustomToolContext,
  CustomToolFactory,
  ExtensionAPI,
  ExtensionContext,
  ExtensionFactory,
  Hints,
  Limits,
  SdkContext,
  SdkResult,
  ToolContext,
  ToolDefinition,
  ToolErrorCode,
} from "../../../index.ts";
export { Tool, ToolError, tool } from "../../../index.ts";
