import { type ReactElement, useId } from "react";
import { Button } from "../components/button.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { type Filters, RANGES, type Range } from "./calls-query.ts";

interface CallFiltersProps {
  readonly filters: Filters;
  readonly tools: readonly string[];
  readonly agents: readonly string[];
  readonly onChange: (filters: Filters) => void;
}

const OUTCOMES = [undefined, "ok", "failed"] as const;

/** The choice of calls: span of time, outcome, tool, agent, session. */
export function CallFilters({ filters, tools, agents, onChange }: CallFiltersProps): ReactElement {
  const { range, outcome, tool, agent, session } = filters;
  return (
    <search className="row wrap call-filters" aria-label="Filter calls">
      <fieldset className="segments" aria-label="Time">
        {(Object.keys(RANGES) as Range[]).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === range}
            onClick={() => onChange({ ...filters, range: each })}
          >
            {each}
          </button>
        ))}
      </fieldset>
      <fieldset className="segments" aria-label="Outcome">
        {OUTCOMES.map((each) => (
          <button
            key={each ?? "all"}
            type="button"
            aria-pressed={each === outcome}
            onClick={() => onChange({ ...filters, outcome: each })}
          >
            {each ?? "all"}
          </button>
        ))}
      </fieldset>
      <Choice label="Tool" value={tool} values={tools} onChange={(next) => onChange({ ...filters, tool: next })} />
      {(agents.length > 0 || agent !== undefined) && (
        <Choice
          label="Agent"
          value={agent}
          values={agents}
          onChange={(next) => onChange({ ...filters, agent: next })}
        />
      )}
      {session !== undefined && (
        <Button size="small" icon="close" onClick={() => onChange({ ...filters, session: undefined })}>
          <span className="truncate">
            Session <VisibleText>{session}</VisibleText>
          </span>
        </Button>
      )}
    </search>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly values: readonly string[];
  readonly onChange: (value: string | undefined) => void;
}

function Choice({ label, value, values, onChange }: ChoiceProps): ReactElement {
  const id = useId();
  const all = value === undefined || values.includes(value) ? values : [value, ...values];
  return (
    <>
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="input call-choice"
        value={value ?? ""}
        onChange={(event) => onChange(event.target.value || undefined)}
      >
        <option value="">{`${label}: all`}</option>
        {all.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </>
  );
}
