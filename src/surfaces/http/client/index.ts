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
} from "../../../core/api.ts";
export type {
  ApiAgents,
  ApiCall,
  ApiCallQuery,
  ApiCallSummary,
  ApiCalls,
  ApiCatalog,
  ApiCatalogTool,
  ApiDecision,
  ApiExplainRequest,
  ApiExplanation,
  ApiGivenAnswer,
  ApiGivenAnswers,
  ApiPageEvent,
  ApiPageEvents,
  ApiPermissions,
  ApiRemoveRule,
  ApiRendering,
  ApiRenderRequest,
  ApiRule,
} from "../../../core/api-page.ts";
export type {
  ApiBranch,
  ApiCancel,
  ApiCancelled,
  ApiDurableEvents,
  ApiLiveEvents,
  ApiMessageAccepted,
  ApiMode,
  ApiNewSession,
  ApiSession,
  ApiSessionCreated,
  ApiSessionDetails,
  ApiSessionEvent,
  ApiSessionQuery,
  ApiSessions,
} from "../../../core/api-sessions.ts";
export type { Caller } from "../../../core/caller.ts";
export type { ToolErrorCode } from "../../../core/error.ts";
export type { PlainError, PlainResult } from "../../../core/plain-result.ts";
export type { QuestionAskedEvent, QuestionEvent } from "../../../core/question.ts";
export type { ClientSessions } from "./client-sessions.ts";
export {
  type Client,
  createClient,
  type RunOptions,
  type RunUpdate,
} from "./create-client.ts";
export type { FollowOptions } from "./follow-events.ts";
export type { PageRequests } from "./page-requests.ts";
export { RequestRefused } from "./read-response.ts";
export type { ClientOptions, RequestOptions } from "./send.ts";
