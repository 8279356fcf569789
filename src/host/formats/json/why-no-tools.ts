import { nearest, suggestion } from "../../../platform/text/nearest.ts";
import { isPlainObject } from "../../../platform/values/is-object.ts";
import { kindOf } from "./plugin-issue.ts";

/** Why a JSON value has no list of tools. */
interface NoTools {
  /** The JSON path of the mistake. */
  readonly path: readonly string[];
  readonly message: string;
  /** Whether the value holds definitions of tools, in another place than `tools`. */
  readonly isCertain: boolean;
}

const SHAPE = "Write an object with name and tools.";
const KNOWN = ["name", "version", "tools"];

/** Explains why a JSON value without a list of `tools` defines no tools. */
export function whyNoTools(value: unknown): NoTools {
  if (Array.isArray(value)) {
    return { path: [], message: `The file holds a list. ${SHAPE}`, isCertain: holdsDefinitions(value) };
  }
  if (!isPlainObject(value))
    return { path: [], message: `The file holds ${kindOf(value)}. ${SHAPE}`, isCertain: false };
  if (isDefinition(value)) {
    const message = `The file holds a single tool. Put it into a list: { "name": "my-tools", "tools": [ … ] }.`;
    return { path: [], message, isCertain: true };
  }
  if (value.tools !== undefined) {
    const message = `tools is ${kindOf(value.tools)}. Write a list of tools.`;
    return { path: ["tools"], message, isCertain: holdsDefinitions(value.tools) };
  }
  return misspeltTools(value);
}

function misspeltTools(value: Readonly<Record<PropertyKey, unknown>>): NoTools {
  const others = Object.keys(value).filter((key) => !KNOWN.includes(key));
  const holder = others.find((key) => holdsDefinitions(value[key]));
  const misspelt = holder ?? others.find((key) => nearest(key, ["tools"]).length > 0);
  if (misspelt === undefined)
    return { path: [], message: "tools is missing. Write a list of tools.", isCertain: false };
  const message = `tools is missing, and "${misspelt}" is not a known key. ${suggestion(["tools"])}`;
  return { path: [misspelt], message, isCertain: holder !== undefined };
}

/** Whether a list or an object contains a definition of a tool. */
function holdsDefinitions(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).some(isDefinition);
}

function isDefinition(value: unknown): boolean {
  return isPlainObject(value) && isPlainObject(value.handler) && ("description" in value || "inputSchema" in value);
}
