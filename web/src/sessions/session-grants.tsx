import { type ReactElement, useState } from "react";
import type { LoggedRule } from "../../../src/core/question.ts";
import { Button } from "../components/button.tsx";
import { Note } from "../components/error-state.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { useClient } from "../server.ts";

interface SessionGrantsProps {
  readonly sessionID: string;
  readonly grants: readonly LoggedRule[];
  readonly onChanged: () => void;
}

/** The rules that were allowed for this session, each of which can be taken back. */
export function SessionGrants({ sessionID, grants, onChanged }: SessionGrantsProps): ReactElement | null {
  const { sessions } = useClient();
  const [error, setError] = useState<string>();
  if (grants.length === 0) return null;
  const takeBack = async (rule: LoggedRule): Promise<void> => {
    try {
      await sessions.removeGrant(sessionID, rule);
      setError(undefined);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    }
    onChanged();
  };
  return (
    <section className="section">
      <h3 className="small muted">Allowed for this session</h3>
      <ul className="stack tight">
        {grants.map((rule) => (
          <li key={JSON.stringify(rule)} className="row">
            <code className="grow break">
              <VisibleText>{JSON.stringify(rule)}</VisibleText>
            </code>
            <Button size="small" onClick={() => takeBack(rule)}>
              Take back
            </Button>
          </li>
        ))}
      </ul>
      {error !== undefined && <Note tone="bad">{error}</Note>}
    </section>
  );
}
