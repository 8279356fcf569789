import { nearest } from "../../../platform/text/nearest.ts";
import { isPlainObject } from "../../../platform/values/is-object.ts";
import { MAX_DELAY_MS } from "../../../platform/waiting/max-delay.ts";
import { kindOf, type PluginIssue } from "./plugin-issue.ts";

/** Checks the value of one key of a handler. Returns what to write instead, or undefined if it is valid. */
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

const positive =
  (max: number, what: string): Rule =>
  (value) =>
    typeof value === "number" && value > 0 && value <= max ? undefined : `Write ${what} above 0.`;
const milliseconds = optional(positive(MAX_DELAY_MS, "a number of milliseconds"));

const headers: Rule = (value) => {
  if (!isPlainObject(value)) return 'Write an object such as { "Accept": "text/plain" }.';
  const wrong = Object.entries(value).find(
    ([name, each]) => !HEADER.test(name) || typeof each !== "string" || /[\r\n\0]/.test(each),
  );
  return (
    wrong &&
    `"${wrong[0]}" is not a valid header. Write a name of letters, digits and "-", and a value without line breaks.`
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
    url: text('Write the URL, such as "https://example.com/users/{{id}}".'),
    method: optional(oneOf("GET", "POST", "PUT")),
    headers: optional(headers),
    timeout: milliseconds,
    allowHosts: optional(hosts),
  },
  "file-read": {
    basePath: text("Write the folder that files may be read from, relative to the project."),
    maxSize: optional(positive(Number.MAX_SAFE_INTEGER, "a number of bytes")),
  },
};

/** The mistakes in a handler, apart from its placeholders. */
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

/** An error, because a misspelled limit would not apply. */
function unknownKey(key: string, known: readonly string[], type: string): PluginIssue {
  const [near] = nearest(key, known);
  const advice = near ? `Did you mean "${near}"?` : `A "${type}" handler has ${["type", ...known].join(", ")}.`;
  return issue([key], `handler.${key} is not a known key. ${advice}`);
}

function issue(path: readonly string[], message: string): PluginIssue {
  return { code: "bad_definition", path: ["handler", ...path], message };
}
