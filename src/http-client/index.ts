export type {
  ApiAnswer,
  ApiError,
  ApiErrorCode,
  ApiProblems,
  ApiQuestions,
  ApiReload,
  ApiReloadError,
  ApiRunEvent,
  ApiTool,
  ApiTools,
} from "../core/api.ts";
export type { ToolErrorCode } from "../core/error.ts";
export type { PlainError, PlainResult } from "../core/plain-result.ts";
export type { QuestionAskedEvent, QuestionEvent } from "../core/question.ts";
export {
  type Client,
  createClient,
  type RequestOptions,
  type RunOptions,
  type RunUpdate,
} from "./create-client.ts";
export { RequestRefused } from "./read-response.ts";
export type { ClientOptions } from "./send.ts";
