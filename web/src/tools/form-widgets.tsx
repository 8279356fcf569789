import type { RegistryWidgetsType, WidgetProps } from "@rjsf/utils";
import type { KeyboardEvent, ReactElement } from "react";
import { nameId } from "./field-hint.ts";
import { looksSecret } from "./input-history.ts";

/** Text grows with its content, since tools take whole documents. Numbers are text too, so that the browser changes nothing. */
function TextWidget({ id, value, schema, onChange, placeholder, name, rawErrors }: WidgetProps): ReactElement {
  const isNumber = schema.type === "number" || schema.type === "integer";
  const shared = {
    id,
    value: value === undefined || value === null ? "" : String(value),
    placeholder: placeholder || schema.$comment,
    spellCheck: false,
    autoComplete: "off",
    "aria-invalid": (rawErrors?.length ?? 0) > 0,
    "aria-describedby": `${id}-notes`,
    "aria-labelledby": nameId(id),
  };
  const change = (text: string): void => onChange(text === "" ? undefined : text);
  if (isNumber || schema.format === "date" || looksSecret(name)) {
    return (
      <input
        {...shared}
        className="input code"
        type={isNumber ? "text" : looksSecret(name) ? "password" : "date"}
        inputMode={isNumber ? "decimal" : undefined}
        onChange={(event) => change(event.target.value)}
      />
    );
  }
  return (
    <textarea {...shared} className="input code grows" rows={1} onChange={(event) => change(event.target.value)} />
  );
}

/** Not set, true and false are three different inputs. */
function BooleanWidget({ id, value, onChange, required, label }: WidgetProps): ReactElement {
  const choices = [...(required && value !== undefined ? [] : [undefined]), true, false];
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = (choices.indexOf(value) + step + choices.length) % choices.length;
    (event.currentTarget.children[at] as HTMLElement).focus();
    onChange(choices[at]);
  };
  return (
    <div className="segments" role="radiogroup" id={id} aria-label={label} onKeyDown={move}>
      {choices.map((choice) => (
        // biome-ignore lint/a11y/useSemanticElements: buttons keep the look of other choices.
        <button
          key={String(choice)}
          type="button"
          role="radio"
          aria-checked={value === choice}
          tabIndex={value === choice ? 0 : -1}
          onClick={() => onChange(choice)}
        >
          {choice === undefined ? "not set" : String(choice)}
        </button>
      ))}
    </div>
  );
}

/** The position of an option is its value in the document, since values may be anything. */
function SelectWidget({ id, value, options, schema, onChange, required, label, rawErrors }: WidgetProps): ReactElement {
  const choices = options.enumOptions ?? [];
  // The library gives the choice between the options of a schema a default.
  const isOfOptions = schema.default === 0;
  const selected = choices.findIndex((choice) => JSON.stringify(choice.value) === JSON.stringify(value));
  return (
    <select
      id={id}
      className="input code"
      value={selected === -1 ? "" : String(selected)}
      aria-label={isOfOptions ? `Kind of ${label}` : undefined}
      aria-invalid={(rawErrors?.length ?? 0) > 0}
      aria-describedby={`${id}-notes`}
      onChange={(event) => onChange(event.target.value === "" ? undefined : choices[Number(event.target.value)]?.value)}
    >
      {!isOfOptions && <option value="">{required ? "choose…" : "not set"}</option>}
      {choices.map((choice, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the position is the identity.
        <option key={index} value={index}>
          {typeof choice.value === "object" && choice.value !== null ? JSON.stringify(choice.value) : choice.label}
        </option>
      ))}
    </select>
  );
}

export const formWidgets: RegistryWidgetsType = {
  TextWidget,
  DateWidget: TextWidget,
  CheckboxWidget: BooleanWidget,
  SelectWidget,
};
