import type { FieldProps } from "@rjsf/utils";
import { createContext, type ReactElement, useContext, useEffect, useEffectEvent, useId, useState } from "react";
import { parseJson } from "./parse-input.ts";
import { CONST_FIELD, JSON_FIELD, LONG_ENUM_FIELD } from "./plan-form.ts";

/** A part that the form cannot draw, as JSON. An empty field has no value. */
function JsonField({ formData, onChange, fieldPathId, formContext, registry, required }: FieldProps): ReactElement {
  const { setInvalid } = (formContext ?? registry.formContext) as {
    setInvalid: (id: string, isInvalid: boolean) => void;
  };
  const [text, setText] = useState(() => (formData === undefined ? "" : JSON.stringify(formData, null, 2)));
  const parsed = parseJson(text);
  const id = fieldPathId.$id;
  const isInvalid = text.trim() !== "" && !parsed.ok;
  useEffect(() => {
    setInvalid(id, isInvalid);
    return () => setInvalid(id, false);
  }, [id, isInvalid, setInvalid]);
  const change = (next: string): void => {
    setText(next);
    const read = parseJson(next);
    if (next.trim() === "") onChange(undefined, fieldPathId.path);
    else if (read.ok) onChange(read.value, fieldPathId.path);
  };
  return (
    <div className="stack tight">
      <textarea
        id={id}
        className="input code grows"
        rows={Math.min(12, Math.max(2, text.split("\n").length))}
        spellCheck={false}
        placeholder={required ? "JSON" : "JSON, or nothing"}
        value={text}
        aria-invalid={isInvalid}
        aria-describedby={`${id}-json`}
        onChange={(event) => change(event.target.value)}
      />
      <p id={`${id}-json`} className="field-error" role="status">
        {isInvalid && !parsed.ok ? `Line ${parsed.line}: ${parsed.message}` : ""}
      </p>
    </div>
  );
}

/** True within an object that is part of the input. */
export const InObject: React.Context<boolean> = createContext(true);

/** A value that cannot be chosen. An object that the person leaves out is not created for it. */
function ConstField({ schema, formData, onChange, fieldPathId }: FieldProps): ReactElement {
  const isNeeded = useContext(InObject);
  const text = JSON.stringify(schema.const);
  const isFilled = JSON.stringify(formData) === text;
  const fill = useEffectEvent(() => onChange(schema.const, fieldPathId.path));
  useEffect(() => {
    if (isNeeded && !isFilled) fill();
  }, [isNeeded, isFilled]);
  return <code className="const-value">{text}</code>;
}

const SHOWN_CHOICES = 100;

/** One of very many texts: the browser completes what is typed. */
function LongEnumField({ schema, formData, onChange, fieldPathId }: FieldProps): ReactElement {
  const listId = useId();
  const choices = (schema.enum ?? []) as readonly string[];
  const value = typeof formData === "string" ? formData : "";
  const matching = choices
    .filter((choice) => choice.toLowerCase().includes(value.toLowerCase()))
    .slice(0, SHOWN_CHOICES);
  return (
    <>
      <input
        id={fieldPathId.$id}
        className="input code"
        list={listId}
        placeholder={`One of ${choices.length.toLocaleString("en")} values`}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value, fieldPathId.path)}
      />
      <datalist id={listId}>
        {matching.map((choice) => (
          <option key={choice} value={choice} />
        ))}
      </datalist>
    </>
  );
}

export const formFields = { [CONST_FIELD]: ConstField, [JSON_FIELD]: JsonField, [LONG_ENUM_FIELD]: LongEnumField };
