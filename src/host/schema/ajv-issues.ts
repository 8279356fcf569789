import type { ErrorObject } from "ajv";
import type { Issue } from "../../core/schema.ts";
import { isPlainObject } from "../../platform/values/is-object.ts";
import { describeUnion, oneOfText, quote, requiredText, typeName } from "./issue-text.ts";
import { escapeStep } from "./walk-schema.ts";

/** The number of errors that are described. The others count only: an input may have a hundred thousand, and twenty are shown. */
const MAX_DESCRIBED = 100;

/** An error, and the errors of its alternatives if it is that of a union. */
interface Reported {
  readonly error: ErrorObject;
  readonly branches?: readonly (readonly ErrorObject[])[];
}

/** Converts the errors of Ajv (with `verbose`): one issue per error, and one for all alternatives of a union. */
export function fromAjvErrors(errors: readonly ErrorObject[]): Issue[] {
  return reportedErrors(errors).flatMap(({ error, branches }, index) => {
    if (index >= MAX_DESCRIBED) return [{ path: error.instancePath, message: error.message ?? "is not valid" }];
    if (!branches) return [toIssue(error)];
    const explained = branches.map((branch, at) => explainBranch(branch, error, at));
    return describeUnion(explained, error.instancePath, error.data);
  });
}

function reportedErrors(errors: readonly ErrorObject[]): Reported[] {
  const explained = new Set<ErrorObject>();
  const reported: Reported[] = [];
  // The error of a union comes after the errors of its alternatives, so a reverse loop visits outer unions first.
  for (let index = errors.length - 1; index >= 0; index -= 1) {
    const error = errors[index] as ErrorObject;
    if (explained.has(error) || error.keyword === "if") continue;
    const alternatives = alternativesOf(error);
    if (!alternatives) {
      reported.push({ error });
      continue;
    }
    const inside = errorsInside(errors, index).filter((inner) => !explained.has(inner));
    const branches = branchesOf(error, alternatives, inside);
    for (const inner of branches.flat()) explained.add(inner);
    reported.push({ error, branches });
  }
  return reported.reverse();
}

/** The errors directly before one that are about the same value or a part of it. */
function errorsInside(errors: readonly ErrorObject[], index: number): ErrorObject[] {
  const at = errors[index]?.instancePath ?? "";
  let start = index;
  while (start > 0 && errors[start - 1]?.instancePath.startsWith(at)) start -= 1;
  return errors.slice(start, index);
}

function alternativesOf({ keyword, params, schema }: ErrorObject): readonly unknown[] | undefined {
  const isUnion = keyword === "anyOf" || (keyword === "oneOf" && params.passingSchemas === null);
  return isUnion && Array.isArray(schema) ? schema : undefined;
}

function branchesOf(
  { schemaPath }: ErrorObject,
  alternatives: readonly unknown[],
  inside: readonly ErrorObject[],
): ErrorObject[][] {
  return alternatives.map((branch, index) => {
    const starts = [`${schemaPath}/${index}/`];
    if (isPlainObject(branch) && typeof branch.$ref === "string") starts.push(`${branch.$ref}/`);
    return inside.filter((error) => starts.some((start) => error.schemaPath.startsWith(start)));
  });
}

function explainBranch(errors: readonly ErrorObject[], union: ErrorObject, index: number): Issue[] {
  if (errors.length > 0) return fromAjvErrors(errors);
  const branch: unknown = Array.isArray(union.schema) ? union.schema[index] : undefined;
  const name = isPlainObject(branch) ? (branch.title ?? branch.type) : undefined;
  return [{ path: union.instancePath, message: `expected ${typeof name === "string" ? name : "another form"}` }];
}

function toIssue(error: ErrorObject): Issue {
  const { keyword, instancePath: path, params, data, message = "is not valid" } = error;
  switch (keyword) {
    case "required":
    case "dependentRequired":
    case "dependencies":
      return { path: child(path, params.missingProperty), message: requiredText(expectedType(error)) };
    case "additionalProperties":
      return { path: child(path, params.additionalProperty), message: unknownField(error) };
    case "unevaluatedProperties":
      return { path: child(path, params.unevaluatedProperty), message: unknownField(error) };
    case "type":
      return { path, message: `expected ${[params.type].flat().join(" or ")}, received ${typeName(data)}` };
    case "enum":
      return { path, message: `expected ${oneOfText(params.allowedValues)}, received ${quote(data)}` };
    case "const":
      return { path, message: `expected ${oneOfText([params.allowedValue])}, received ${quote(data)}` };
    case "oneOf":
      return { path, message: "matches more than one of the allowed forms: send a value that matches only one" };
    case "false schema":
      return { path, message: "is not allowed here" };
    default:
      return { path, message };
  }
}

function child(path: string, name: unknown): string {
  return `${path}/${escapeStep(String(name))}`;
}

function expectedType(error: ErrorObject): string | undefined {
  const field = propertiesOf(error)?.[String(error.params.missingProperty)];
  if (!isPlainObject(field)) return undefined;
  if (Array.isArray(field.enum)) return oneOfText(field.enum);
  return typeof field.type === "string" ? field.type : undefined;
}

function unknownField(error: ErrorObject): string {
  const known = Object.keys(propertiesOf(error) ?? {});
  return known.length > 0 ? `is not a known field; the fields are ${known.join(", ")}` : "is not a known field";
}

function propertiesOf(error: ErrorObject): Readonly<Record<PropertyKey, unknown>> | undefined {
  const properties = error.parentSchema?.properties;
  return isPlainObject(properties) ? properties : undefined;
}
