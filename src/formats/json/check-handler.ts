import { isPlainObject } from "../../core/is-object.ts";
import { nearest } from "../../core/nearest.ts";
import { kindOf, type PluginIssue } from "./plugin-issue.ts";

/** What one key of a handler must be: undefined when it is, else what to write. */
type Rule = (value: unknown) => string | undefined;

const text =
  (advice: string): Rule =>
  (value) =>
    typeof value === "string" && value.trim() !== "" ? undefined : advice;
const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined ? undefined : rule(value);
const oneOf =
  (...allowed: readonly unknown[]): Rule =>
  (value) =>
    allowed.includes(value) ? undefined : `Write one of ${allowed.map((each) => JSON.stringify(each)).join(", ")}.`;

/** The most that a timer can wait. */
const LONGEST_MS = 2 ** 31 - 1;
const above0 =
  (most: number, what: string): Rule =>
  (value) =>
    typeof value === "number" && value > 0 && value <= most ? undefined : `Write ${what} above 0.`;
const milliseconds = optional(above0(LONGEST_MS, "a number of milliseconds"));

const headers: Rule = (value) => {
  if (!isPlainObject(value)) return 'Write an object such as { "Accept": "text/plain" }.';
  const wrong = Object.entries(value).find(
    ([name, each]) => !HEADER.test(name) || typeof each !== "string" || /[\r\n\0]/.test(each),
  );
  return (
    wrong &&
    `"${wrong[0]}" and its value make no header. Write a name of letters, digits and "-", and a text in one line.`
  );
};
const HEADER = /^[\w!#$%&'*+.^`|~-]+$/;

const hosts: Rule = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === "string" && HOST.test(each))
    ? undefined
    : 'Write a list of "host", "host:port" or "*.domain".';
const HOST = /^(?:\*\.)?(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])(?::\d+)?$/i;

const HANDLERS: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  shell: {
    command: text('Write the command to run, such as "git log -n {{count}}".'),
    timeout: milliseconds,
    cwd: optional(text("Write a folder, relative to the project.")),
    allowDash: optional(oneOf(true, false)),
  },
  http: {
    url: text('Write the address, such as "https://example.com/users/{{id}}".'),
    method: optional(oneOf("GET", "POST", "PUT")),
    headers: optional(headers),
    timeout: milliseconds,
    allowHosts: optional(hosts),
  },
  "file-read": {
    basePath: text("Write the folder that files may be read from, relative to the project."),
    maxSize: optional(above0(Number.MAX_SAFE_INTEGER, "a number of bytes")),
  },
};

/** Everything that is wrong with a handler by itself. */
export function checkHandler(handler: unknown): PluginIssue[] {
  if (!isPlainObject(handler)) {
    return [issue([], `handler is ${kindOf(handler)}. Write an object with a type: ${TYPES}.`)];
  }
  const { type, ...rest } = handler;
  const rules = typeof type === "string" && Object.hasOwn(HANDLERS, type) ? HANDLERS[type] : undefined;
  if (!rules) return [issue(["type"], `handler.type is ${kindOf(type)}. Write one of ${TYPES}.`)];
  const wrong = Object.entries(rules).flatMap(([key, rule]) => {
    const advice = rule(handler[key]);
    return advice === undefined ? [] : [issue([key], `handler.${key} is ${kindOf(handler[key])}. ${advice}`)];
  });
  const known = Object.keys(rules);
  return [
    ...wrong,
    ...Object.keys(rest)
      .filter((key) => !known.includes(key))
      .map((key) => unknownKey(key, known, type as string)),
  ];
}

const TYPES = Object.keys(HANDLERS)
  .map((type) => `"${type}"`)
  .join(", ");

/** Not passed over: a slip in the name of a limit would lift it. */
function unknownKey(key: string, known: readonly string[], type: string): PluginIssue {
  const [near] = nearest(key, known);
  const advice = near
    ? `Did you mean "${near}"?`
    : `A handler of the type "${type}" has ${["type", ...known].join(", ")}.`;
  return issue([key], `handler.${key} is not known. ${advice}`);
}

function issue(path: readonly string[], message: string): PluginIssue {
  return { code: "bad_definition", path: ["handler", ...path], message };
}
