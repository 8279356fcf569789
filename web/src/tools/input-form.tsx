import Form from "@rjsf/core/lib/components/Form.js";
import type { RJSFSchema } from "@rjsf/utils";
import { type ReactElement, useMemo } from "react";
import type { Input } from "../runs.ts";
import { formFields } from "./form-fields.tsx";
import { formTemplates } from "./form-templates.tsx";
import { createFormValidator } from "./form-validator.ts";
import { formWidgets } from "./form-widgets.tsx";
import { type InputIssue, pointerParts } from "./issues.ts";
import type { Fields } from "./signature.ts";
import { withoutUndefined } from "./without-undefined.ts";

export interface InputFormProps {
  /** A schema of `planForm`. */
  readonly schema: Fields;
  /** The input at first. Later changes need another `key`. */
  readonly input: Input;
  readonly issues: readonly InputIssue[];
  readonly onChange: (input: Input) => void;
  /** Called with the fields whose JSON is not valid. */
  readonly onInvalid: (fields: ReadonlySet<string>) => void;
}

/** The input of a tool as a form. Loaded when it is first needed, since the library is large. */
export function InputForm({ schema, input, issues, onChange, onInvalid }: InputFormProps): ReactElement {
  const validator = useMemo(createFormValidator, []);
  const errors = useMemo(() => errorTree(issues), [issues]);
  const context = useMemo(() => {
    const invalid = new Set<string>();
    const setInvalid = (id: string, isInvalid: boolean): void => {
      if (invalid.has(id) === isInvalid) return;
      if (isInvalid) invalid.add(id);
      else invalid.delete(id);
      onInvalid(new Set(invalid));
    };
    return { setInvalid };
  }, [onInvalid]);
  return (
    <Form
      tagName="div"
      className="form"
      idPrefix="input"
      idSeparator="/"
      schema={schema as RJSFSchema}
      formData={input}
      formContext={context}
      validator={validator}
      templates={formTemplates}
      widgets={formWidgets}
      fields={formFields}
      extraErrors={errors}
      noValidate
      noHtml5Validate
      showErrorList={false}
      experimental_defaultFormStateBehavior={DEFAULTS}
      onChange={({ formData }) => onChange((withoutUndefined(formData) ?? {}) as Input)}
    >
      {/* The button is below the form. */}
      <span />
    </Form>
  );
}

/** Nothing is filled in. `ConstField` fills in constants. */
const DEFAULTS = {
  arrayMinItems: { populate: "never" },
  emptyObjectFields: "populateRequiredDefaults",
  requiredBooleanDefault: "skip",
  constAsDefaults: "never",
} as const;

/** The mistakes at their fields, in the form of the library: `{ a: { 0: { __errors: ["…"] } } }`. */
function errorTree(issues: readonly InputIssue[]): Record<string, never> {
  const root = Object.create(null) as Record<string, unknown>;
  for (const { path, message } of issues) {
    let node = root;
    for (const part of pointerParts(path)) {
      node[part] ??= Object.create(null);
      node = node[part] as Record<string, unknown>;
    }
    node.__errors = [...((node.__errors as string[] | undefined) ?? []), message];
  }
  return root as Record<string, never>;
}
