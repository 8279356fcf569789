import { type ReactElement, useState } from "react";
import type { ApiPermissions, ApiRule } from "../../../src/core/api-page.ts";
import { Button } from "../components/button.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { RemoveRuleDialog } from "./remove-rule-dialog.tsx";
import { RuleText } from "./rule-text.tsx";

interface RuleListProps {
  readonly permissions: ApiPermissions;
  readonly onRemoved: () => void;
}

/** The rules in the order in which they count. Those of the user can be removed. */
export function RuleList({ permissions: { rules, settingsFile }, onRemoved }: RuleListProps): ReactElement {
  const [removing, setRemoving] = useState<ApiRule>();
  const own = rules.filter(({ from }) => from === "user");
  const project = rules.filter(({ from }) => from === "project");
  return (
    <section className="section" aria-labelledby="rules">
      <h2 id="rules">Your rules</h2>
      {own.length === 0 ? (
        <p className="muted">
          There are none: the mode decides. A question that is answered with “always” adds a rule to{" "}
          <code>
            <VisibleText>{settingsFile}</VisibleText>
          </code>
          .
        </p>
      ) : (
        <>
          <p className="muted">The last one that matches decides. Answers with “always” are among them.</p>
          <Rules rules={own} onRemove={setRemoving} />
        </>
      )}
      {project.length > 0 && (
        <>
          <h2>Rules of the project</h2>
          <p className="muted">They can only restrict yours. To change them, edit the file of the project.</p>
          <Rules rules={project} />
        </>
      )}
      {removing && (
        <RemoveRuleDialog
          rule={removing}
          onClose={(removed) => {
            setRemoving(undefined);
            if (removed) onRemoved();
          }}
        />
      )}
    </section>
  );
}

interface RulesProps {
  readonly rules: readonly ApiRule[];
  readonly onRemove?: (rule: ApiRule) => void;
}

function Rules({ rules, onRemove }: RulesProps): ReactElement {
  return (
    <ol className="rule-list">
      {rules.map((rule) => {
        const place = `${rule.file}${rule.line === undefined ? "" : `:${rule.line}`}`;
        return (
          <li key={`${rule.file} ${rule.position}`} className="rule">
            <div className="grow stack tight">
              <RuleText rule={rule} />
              <span className="small faint break">
                <VisibleText>{place}</VisibleText> <CopyButton text={place} label="place" />
              </span>
            </div>
            {onRemove && (
              <Button
                size="small"
                kind="quiet"
                icon="trash"
                aria-label={`Take back rule ${rule.position}, for ${rule.tool}`}
                onClick={() => onRemove(rule)}
              >
                Take back
              </Button>
            )}
          </li>
        );
      })}
    </ol>
  );
}
