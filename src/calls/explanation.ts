import type { ToolError } from "../core/error.ts";
import type { ApprovalOptions } from "../settings/permissions/approval-options.ts";
import type { Decision } from "../settings/permissions/decide.ts";
import type { Mode } from "../settings/permissions/rule.ts";

/** The decision on a call that is not made, or the error that prevents the decision. */
export type Explained = ({ readonly ok: true } & Explanation) | { readonly ok: false; readonly error: ToolError };

/** The decision on a call, and its reasons. */
export interface Explanation {
  readonly tool: string;
  /** The agents whose rules apply, the calling agent first. */
  readonly agents: readonly string[];
  readonly mode: Mode;
  /** The decision on each target that the call would touch. */
  readonly decisions: readonly Decision[];
  /** The decision on the call: the strictest of `decisions`. */
  readonly decision: Decision;
  /** The possible answers of a person who is asked, and the rules that would be remembered. */
  readonly offer: ApprovalOptions;
}
