import { removeJsonValue, setJsonValue } from "../../platform/json/edit-json.ts";
import { parseJson } from "../../platform/json/parse-json.ts";
import { ConfigProblem } from "./config-problem.ts";
import type { Editor } from "./editor.ts";

/** JSON, with comments and trailing commas or without. */
export const jsonEditor: Editor = {
  parse: (text) => {
    const { value, error } = parseJson(text, { allowEmpty: true });
    if (error) throw new ConfigProblem(`is not valid JSON (${error.reason})`, error.line);
    return value;
  },
  print: ({ section, name }, entry) => setJsonValue("", [...section, name], entry).trimEnd(),
  set: (text, { section, name }, entry) => setJsonValue(text, [...section, name], entry),
  change: (text, { section, name }, fields) =>
    Object.entries(fields).reduce((changed, [key, value]) => {
      const field = [...section, name, key];
      return value === undefined ? removeJsonValue(changed, field) : setJsonValue(changed, field, value);
    }, text),
  remove: (text, { section, name }) => removeJsonValue(text, [...section, name]),
};
