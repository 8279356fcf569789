import {
  ADDITIONAL_PROPERTY_FLAG,
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
  canExpand,
  type FieldTemplateProps,
  type MultiSchemaFieldTemplateProps,
  type ObjectFieldTemplateProps,
  type TemplatesType,
} from "@rjsf/utils";
import { createContext, Fragment, type ReactElement, useContext } from "react";
import { Button } from "../components/button.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { fieldHint, nameId } from "./field-hint.ts";
import { InObject } from "./form-fields.tsx";

/** True for the field of the option that is chosen: its name stands above the choice already. */
const InsideOption = createContext(false);

/** The name of a field, what it takes, its description, the field itself, and its mistakes. */
function FieldTemplate(props: FieldTemplateProps): ReactElement {
  const {
    id,
    fieldPathId,
    schema,
    required,
    children,
    rawErrors,
    rawDescription,
    hidden,
    onKeyRenameBlur,
    onRemoveProperty,
  } = props;
  const isOption = useContext(InsideOption);
  const name = fieldPathId.path.at(-1);
  if (hidden || name === undefined || isOption) return <InsideOption value={false}>{children}</InsideOption>;
  const isAdditional = ADDITIONAL_PROPERTY_FLAG in schema;
  const label = typeof name === "number" ? `Item ${name + 1}` : name;
  const group = hasParts(schema) ? { role: "group", "aria-labelledby": nameId(id) } : {};
  return (
    <div className="field" {...group}>
      <div className="field-head">
        {isAdditional ? (
          <>
            <input
              key={label}
              id={nameId(id)}
              className="input code field-key"
              aria-label={`Name of the field ${label}`}
              defaultValue={label}
              onBlur={onKeyRenameBlur}
            />
            <Button kind="quiet" size="small" icon="trash" aria-label={`Remove ${label}`} onClick={onRemoveProperty} />
          </>
        ) : (
          <FieldName
            id={id}
            isLabel={!hasParts(schema) && schema.type !== "boolean"}
            name={label}
            required={required && typeof name === "string"}
          />
        )}
        <span className="field-hint">{fieldHint(schema)}</span>
      </div>
      {rawDescription && (
        <p className="field-description pre-line break">
          <VisibleText>{rawDescription}</VisibleText>
        </p>
      )}
      {children}
      <div id={`${id}-notes`}>
        {rawErrors?.map((error) => (
          <p key={error} className="field-error">
            {error}
          </p>
        ))}
      </div>
    </div>
  );
}

interface FieldNameProps {
  readonly id: string;
  /** Whether it labels a single element, which has the id. */
  readonly isLabel: boolean;
  readonly name: string;
  readonly required: boolean | undefined;
}

function FieldName({ id, isLabel, name, required }: FieldNameProps): ReactElement {
  const content = (
    <>
      <VisibleText>{name}</VisibleText>
      {required && (
        <span className="field-required" title="Required">
          *
        </span>
      )}
    </>
  );
  const shared = { id: nameId(id), className: "field-name" };
  if (!isLabel) return <span {...shared}>{content}</span>;
  return (
    <label {...shared} htmlFor={id}>
      {content}
    </label>
  );
}

function hasParts({ type, anyOf, oneOf }: FieldTemplateProps["schema"]): boolean {
  return type === "object" || type === "array" || anyOf !== undefined || oneOf !== undefined;
}

function ObjectFieldTemplate({
  properties,
  schema,
  uiSchema,
  formData,
  onAddProperty,
  fieldPathId,
}: ObjectFieldTemplateProps): ReactElement | null {
  const isRoot = fieldPathId.path.length === 0;
  const addable = canExpand(schema, uiSchema, formData as object | undefined);
  // The choice between the options is drawn beside it.
  if (properties.length === 0 && (schema.oneOf || schema.anyOf)) return null;
  if (isRoot && properties.length === 0 && !addable) return <p className="muted">This tool takes no input.</p>;
  return (
    <InsideOption value={false}>
      <InObject value={isRoot || formData !== undefined}>
        <div className={isRoot ? "fields" : "fields nested"}>
          {properties.map(({ name, content }) => (
            <Fragment key={name}>{content}</Fragment>
          ))}
          {addable && (
            <div>
              <Button size="small" icon="plus" onClick={onAddProperty}>
                Add a field
              </Button>
            </div>
          )}
        </div>
      </InObject>
    </InsideOption>
  );
}

function ArrayFieldTemplate({ items, canAdd, onAddClick }: ArrayFieldTemplateProps): ReactElement {
  return (
    <InsideOption value={false}>
      <div className="fields nested">
        {items}
        {canAdd !== false && (
          <div>
            <Button size="small" icon="plus" onClick={onAddClick}>
              Add an item
            </Button>
          </div>
        )}
      </div>
    </InsideOption>
  );
}

function ArrayFieldItemTemplate({ children, index, buttonsProps }: ArrayFieldItemTemplateProps): ReactElement {
  return (
    <div className="array-item">
      <div className="grow">{children}</div>
      <Button
        kind="quiet"
        size="small"
        icon="trash"
        aria-label={`Remove item ${index + 1}`}
        onClick={buttonsProps.onRemoveItem}
      />
    </div>
  );
}

/** A choice of one of several schemas, and its field. */
function MultiSchemaFieldTemplate({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps): ReactElement {
  return (
    <div className="fields">
      <div className="option-choice">{selector}</div>
      <InsideOption value>
        <InObject value>{optionSchemaField}</InObject>
      </InsideOption>
    </div>
  );
}

function Nothing(): null {
  return null;
}

export const formTemplates: Partial<TemplatesType> = {
  FieldTemplate,
  ObjectFieldTemplate,
  ArrayFieldTemplate,
  ArrayFieldItemTemplate,
  MultiSchemaFieldTemplate,
  DescriptionFieldTemplate: Nothing,
  TitleFieldTemplate: Nothing,
  FieldErrorTemplate: Nothing,
  FieldHelpTemplate: Nothing,
  ErrorListTemplate: Nothing,
};
