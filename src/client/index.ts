export type {
  ApiError,
  ApiErrorCode,
  ApiProblems,
  ApiReload,
  ApiReloadError,
  ApiRunEvent,
  ApiTool,
  ApiTools,
} from "../core/api.ts";
export type { PlainResult } from "../core/plain-result.ts";
export { type Client, type ClientOptions, createClient, type RunOptions, type RunUpdate } from "./create-client.ts";
export { RequestRefused } from "./request-refused.ts";
