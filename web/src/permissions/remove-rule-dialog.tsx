import { type ReactElement, useState } from "react";
import type { ApiRule } from "../../../src/core/api-page.ts";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Note } from "../components/error-state.tsx";
import { useClient } from "../server.ts";
import { RuleText } from "./rule-text.tsx";

interface RemoveRuleDialogProps {
  readonly rule: ApiRule;
  readonly onClose: (removed: boolean) => void;
}

/** Asks before a rule is removed from the user's settings. */
export function RemoveRuleDialog({ rule, onClose }: RemoveRuleDialogProps): ReactElement {
  const client = useClient();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { tool, match, agent, action, position } = rule;
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      await client.removeRule({
        tool,
        action,
        position,
        ...(match === undefined ? {} : { match }),
        ...(agent === undefined ? {} : { agent }),
      });
      onClose(true);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title="Take back this rule?" onClose={() => onClose(problem !== undefined)}>
      <div className="stack">
        <RuleText rule={rule} />
        <p className="muted break">
          It is removed from {rule.file}. Calls that only this rule {action === "deny" ? "refuses" : "allows"} are
          decided by your other rules and the mode.
        </p>
        {problem !== undefined && <Note tone="bad">{problem}</Note>}
        <div className="row">
          <Button kind="danger" icon="trash" disabled={busy} onClick={remove}>
            Take back
          </Button>
          <Button kind="quiet" onClick={() => onClose(problem !== undefined)}>
            Keep it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
