import type { ReactElement } from "react";

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly (readonly [T, string])[];
  readonly onChange: (value: T) => void;
}

/** A choice of few values, all of them visible. */
export function Segments<T extends string>({ label, value, choices, onChange }: SegmentsProps<T>): ReactElement {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in one line with its legend.
    <div className="segments" role="group" aria-label={label}>
      {choices.map(([choice, text]) => (
        <button key={choice} type="button" aria-pressed={choice === value} onClick={() => onChange(choice)}>
          {text}
        </button>
      ))}
    </div>
  );
}
