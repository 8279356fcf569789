import type { ReactElement } from "react";
import type { ApiRemoveRule, ApiRule } from "../../../src/core/api-page.ts";
import { useClient } from "../server.ts";
import { TakeBackDialog } from "./take-back-dialog.tsx";

interface RemoveRuleDialogProps {
  readonly rule: ApiRule;
  readonly onClose: (changed: boolean) => void;
}

/** Asks before a rule is removed from the user's settings. */
export function RemoveRuleDialog({ rule, onClose }: RemoveRuleDialogProps): ReactElement {
  const client = useClient();
  return (
    <TakeBackDialog
      title="Take back this rule?"
      rules={[rule]}
      effect={`It is removed from ${rule.file}. Calls that only this rule ${rule.action === "deny" ? "refuses" : "allows"} are decided by your other rules and the mode.`}
      onTakeBack={() => client.removeRule(toRemove(rule))}
      onClose={onClose}
    />
  );
}

/** The request that removes a rule. */
export function toRemove({ tool, match, agent, action, position }: ApiRule): ApiRemoveRule {
  return {
    tool,
    action,
    position,
    ...(match === undefined ? {} : { match }),
    ...(agent === undefined ? {} : { agent }),
  };
}
