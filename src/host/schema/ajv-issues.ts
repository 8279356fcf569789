import type { ErrorObject } from "ajv";
import type { Issue } from "../../core/schema.ts";
import { isPlainObject } from "../../platform/values/is-object.ts";
import { describeUnion, oneOfText, quote, requiredText, typeName } from "./issue-text.ts";
import { escapeStep } from "./walk-schema.ts";

/** Converts the errors of Ajv (with `verbose`): one issue per error, and one for all alternatives of a union. */
export function fromAjvErrors(errors: readonly ErrorObject[]): Issue[] {
  const explained = new Set<ErrorObject>();
  const issues: Issue[][] = [];
  // The error of a union comes after the errors of its alternatives, so a reverse loop visits outer unions first.
  for (const [index, error] of [...errors.entries()].reverse()) {
    if (explained.has(error) || error.keyword === "if") continue;
    const branches = branchesOf(
      error,
      errors.slice(0, index).filter((earlier) => !explained.has(earlier)),
    );
    if (!branches) {
      issues.unshift([toIssue(error)]);
      continue;
    }
    for (const inner of branches.flat()) explained.add(inner);
    issues.unshift(
      describeUnion(
        branches.map((branch, at) => explainBranch(branch, error, at)),
        error.instancePath,
        error.data,
      ),
    );
  }
  return issues.flat();
}

function branchesOf(error: ErrorObject, earlier: readonly ErrorObject[]): ErrorObject[][] | undefined {
  const isUnion = error.keyword === "anyOf" || (error.keyword === "oneOf" && error.params.passingSchemas === null);
  if (!isUnion || !Array.isArray(error.schema)) return undefined;
  return error.schema.map((branch: unknown, index) => {
    const starts = [`${error.schemaPath}/${index}/`];
    if (isPlainObject(branch) && typeof branch.$ref === "string") starts.push(`${branch.$ref}/`);
    return earlier.filter(
      ({ schemaPath, instancePath }) =>
        instancePath.startsWith(error.instancePath) && starts.some((start) => schemaPath.startsWith(start)),
    );
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
