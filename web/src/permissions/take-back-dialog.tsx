import { type ReactElement, useState } from "react";
import type { LoggedRule } from "../../../src/core/question.ts";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Note } from "../components/error-state.tsx";
import { RuleText } from "./rule-text.tsx";

interface TakeBackDialogProps {
  readonly title: string;
  readonly rules: readonly LoggedRule[];
  /** What follows, as sentences. */
  readonly effect: string;
  readonly onTakeBack: () => Promise<void>;
  /** `changed` is true if the rules may have changed. */
  readonly onClose: (changed: boolean) => void;
}

/** Asks before rules are taken back. */
export function TakeBackDialog({ title, rules, effect, onTakeBack, onClose }: TakeBackDialogProps): ReactElement {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const close = (): void => onClose(problem !== undefined);
  const takeBack = async (): Promise<void> => {
    setBusy(true);
    try {
      await onTakeBack();
      onClose(true);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={close}>
      <div className="stack">
        {rules.map((rule) => (
          <RuleText key={JSON.stringify(rule)} rule={rule} />
        ))}
        <p className="muted break">{effect}</p>
        {problem !== undefined && <Note tone="bad">{problem}</Note>}
        <div className="row">
          <Button kind="danger" icon="trash" disabled={busy} onClick={takeBack}>
            Take back
          </Button>
          <Button kind="quiet" onClick={close}>
            Keep it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
