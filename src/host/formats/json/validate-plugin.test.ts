import { describe, expect, it } from "vitest";
import { validatePluginConfigFile, validatePluginToolDefinition } from "./validate-plugin.ts";

const tool = {
  name: "log",
  description: "Shows the log",
  inputSchema: { type: "object", properties: { count: { type: "number" } } },
  handler: { type: "shell", command: "git log -n {{count}}" },
};
const errorsWith = (handler: object): string[] => validatePluginToolDefinition({ ...tool, handler }).errors;

describe("validating JSON tools", () => {
  it("[A12] returns a valid file", () => {
    const config = { name: "mine", version: "1", tools: [tool], $schema: "x" };
    expect(validatePluginConfigFile(config)).toEqual({ valid: true, errors: [], config });
    expect(validatePluginToolDefinition(tool)).toEqual({ valid: true, errors: [] });
  });

  it("[A12] lists all mistakes of an invalid file", () => {
    expect(validatePluginConfigFile({ version: 1, tools: [tool, { name: "x" }, tool] })).toEqual({
      valid: false,
      errors: [
        'name is missing. Write the name of this collection of tools, such as "my-tools".',
        'version is 1. Write a text such as "1.0.0", or leave it out.',
        'tools[1] ("x"): description is missing. Write a text that tells a model what the tool does and when to use it.',
        'tools[1] ("x"): inputSchema is missing. Write a JSON Schema of an object, such as { "type": "object", "properties": {} }.',
        'tools[1] ("x"): handler is missing. Write an object with a type: "shell", "http", "file-read".',
        'tools[2] ("log"): Another tool above is called "log" too. Rename one of them.',
      ],
    });
    expect(validatePluginConfigFile([]).errors).toEqual([
      "The file holds a list. Write an object with name and tools.",
    ]);
    expect(validatePluginConfigFile({ name: "x" }).errors).toEqual(["tools is missing. Write a list of tools."]);
    expect(validatePluginToolDefinition(null).errors).toEqual([
      "This tool is null. Write an object with name, description, inputSchema and handler.",
    ]);
  });

  it("[A12] handlers are checked key by key", () => {
    expect(errorsWith({ type: "shell", command: "", timeout: -1, cwd: 5, allowDash: "yes", shell: true })).toEqual([
      'handler.command is "". Write the command to run, such as "git log -n {{count}}".',
      "handler.timeout is -1. Write a number of milliseconds above 0.",
      "handler.cwd is 5. Write a folder, relative to the project.",
      'handler.allowDash is "yes". Write one of true, false.',
      'handler.shell is not a known key. A "shell" handler has type, command, timeout, cwd, allowDash.',
    ]);
    expect(
      errorsWith({ type: "http", method: "get", headers: { "a b": "c" }, allowHosts: ["http://x"], allowedHosts: [] }),
    ).toEqual([
      'handler.url is missing. Write the URL, such as "https://example.com/users/{{id}}".',
      'handler.method is "get". Write one of "GET", "POST", "PUT".',
      'handler.headers is an object. "a b" is not a valid header. Write a name of letters, digits and "-", and a value without line breaks.',
      'handler.allowHosts is a list. Write a list of "host", "host:port" or "*.domain".',
      'handler.allowedHosts is not a known key. Did you mean "allowHosts"?',
    ]);
    expect(errorsWith({ type: "file-read", maxSize: 0 })).toEqual([
      "handler.basePath is missing. Write the folder that files may be read from, relative to the project.",
      "handler.maxSize is 0. Write a number of bytes above 0.",
    ]);
  });
});
