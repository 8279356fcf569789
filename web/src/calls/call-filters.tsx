import { type ReactElement, useId } from "react";
import { CALLERS } from "../../../src/core/caller.ts";
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

/** The choice of calls: span of time, outcome, tool, caller, agent, session. */
export function CallFilters({ filters, tools, agents, onChange }: CallFiltersProps): ReactElement {
  const { range, outcome, tool, agent, caller, session } = filters;
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
      <Choice
        label="Caller"
        value={caller}
        values={CALLERS}
        onChange={(next) => onChange({ ...filters, caller: next })}
      />
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

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T | undefined;
  readonly values: readonly T[];
  readonly onChange: (value: T | undefined) => void;
}

function Choice<T extends string>({ label, value, values, onChange }: ChoiceProps<T>): ReactElement {
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
        onChange={(event) => onChange(all.find((each) => each === event.target.value))}
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
