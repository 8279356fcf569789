/** The types that tool files import, for editors. `toolwright init` writes them, bundled, next to the tools folder. */
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
