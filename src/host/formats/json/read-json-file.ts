import { readFileSync, statSync } from "node:fs";
import { messageOf } from "../../../core/error.ts";
import type { Limits, Tool } from "../../../core/tool.ts";
import { lineFinder, parseJson } from "../../../platform/json/parse-json.ts";
import { codeFrame } from "../../../platform/text/code-frame.ts";
import { isPlainObject } from "../../../platform/values/is-object.ts";
import { toSchema } from "../../schema/to-schema.ts";
import type { Contributions, ExportProblem, FormatHost, ModuleFile } from "../contributions.ts";
import { checkPluginHead, checkPluginTool } from "./check-plugin.ts";
import { createHandler } from "./create-handler.ts";
import type { Handler, Input } from "./handler.ts";
import { defaultsOf, inputFields } from "./placeholders.ts";
import type { PluginToolDefinition } from "./plugin-file.ts";
import type { PluginIssue } from "./plugin-issue.ts";
import { statedDefaults } from "./stated-defaults.ts";
import { whyNoTools } from "./why-no-tools.ts";

const MAX_BYTES = 5_000_000;

/**
 * Reads the tools of a JSON file. A file that does not parse, or has another shape, is a problem if it looks like JSON tools;
 * otherwise only where JSON tools are expected (`problemsIfToolsExpected`). Never rejects.
 */
export async function readJsonFile(file: ModuleFile, host: FormatHost): Promise<Contributions> {
  try {
    const text = readText(file.path);
    const { value, error } = parseJson(text);
    if (error) {
      const { line, column, reason } = error;
      const message = `This is not valid JSON: ${reason}. Correct it.`;
      const problem = { code: "syntax", line, column, message, frame: codeFrame(text, error) } as const;
      return noTools(file, problem, looksLikeTools(text));
    }
    return isToolsFile(value) ? await readTools(value, text, file, host) : otherShape(value, text, file);
  } catch (error) {
    return noTools(file, { code: "unreadable", message: `It cannot be read: ${messageOf(error)}` }, false);
  }
}

function noTools(
  file: ModuleFile,
  problem: Pick<ExportProblem, "code" | "message" | "line" | "column" | "frame">,
  isCertain: boolean,
): Contributions {
  const problems = [{ file: file.path, ...problem }];
  return isCertain ? { tools: [], problems } : { tools: [], problems: [], problemsIfToolsExpected: problems };
}

function otherShape(value: unknown, text: string, file: ModuleFile): Contributions {
  const { path, message, isCertain } = whyNoTools(value);
  const line = lineFinder(text)(path);
  const code = isCertain ? "bad_definition" : "not_a_tool";
  return noTools(file, { code, message, ...(line === undefined ? {} : { line }) }, isCertain);
}

type ToolsFile = Readonly<Record<PropertyKey, unknown>> & { readonly tools: readonly unknown[] };

function isToolsFile(value: unknown): value is ToolsFile {
  return isPlainObject(value) && Array.isArray(value.tools);
}

/** For a text that does not parse. */
function looksLikeTools(text: string): boolean {
  return /"handler"\s*:/.test(text) && /"(?:tools|inputSchema)"\s*:/.test(text);
}

function readText(path: string): string {
  const stats = statSync(path);
  if (!stats.isFile()) throw new Error("this is not a file");
  if (stats.size > MAX_BYTES) throw new Error(`it has ${stats.size} bytes, and at most ${MAX_BYTES} are read`);
  return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
}

async function readTools(data: ToolsFile, text: string, file: ModuleFile, host: FormatHost): Promise<Contributions> {
  const tools: Tool[] = [];
  const problems: ExportProblem[] = [];
  const lineOf = lineFinder(text);
  const report = ({ code, message, path }: Pick<ExportProblem, "code" | "message"> & At, tool?: string): void => {
    const line = lineOf(path);
    const place = { ...(line === undefined ? {} : { line }), ...(tool === undefined ? {} : { tool }) };
    problems.push({ file: file.path, code, message, ...place });
  };
  for (const issue of checkPluginHead(data)) report(issue);
  for (const [index, definition] of data.tools.entries()) {
    const outcome = await toTool(definition, data, file, host);
    if (!("path" in outcome)) {
      if (tools.some(({ name }) => name === outcome.name)) report(nameTaken(outcome.name, index), outcome.name);
      else tools.push(outcome);
      continue;
    }
    const name = isPlainObject(definition) && typeof definition.name === "string" ? definition.name : undefined;
    const message = `${name === undefined ? `tools[${index}]` : `"${name}"`}: ${outcome.message}`;
    report({ ...outcome, message, path: ["tools", index, ...outcome.path] }, name);
  }
  return {
    tools,
    problems,
    about: { format: "json", why: 'it is a JSON file with a list of "tools"', unsupportedFeatures: [] },
  };
}

type At = Pick<PluginIssue, "path">;

function nameTaken(name: string, index: number): { code: "name_taken"; message: string } & At {
  const message = `Another tool above in this file is called "${name}" too. Rename one of them.`;
  return { code: "name_taken", message, path: ["tools", index, "name"] };
}

async function toTool(
  data: unknown,
  file: ToolsFile,
  module: ModuleFile,
  host: FormatHost,
): Promise<Tool | PluginIssue> {
  const [first, ...others] = checkPluginTool(data);
  if (first) return { ...first, message: [first, ...others].map(({ message }) => message).join(" ") };
  const { name, description, inputSchema, handler: config } = data as PluginToolDefinition;
  try {
    const input = await toSchema(inputSchema);
    const stated = statedDefaults(inputSchema);
    const withStated = (args: Input): Input => withDefaults(args, stated);
    const log: FormatHost["log"] = (level, message, data) => host.log(level, message, data);
    const handler = createHandler(config, {
      tool: name,
      fields: inputFields(inputSchema),
      defaults: new Map([...stated, ...defaultsOf(inputSchema)]),
      log,
    });
    return {
      name,
      description,
      input,
      origin: originOf(name, file, module),
      limits: limitsOf(handler),
      hints: handler.hints,
      access: (args, { cwd }) => handler.access(withStated(args as Input), cwd),
      run: (args, { author }) => handler.run(withStated(args as Input), author),
    };
  } catch (error) {
    return { code: "bad_schema", path: ["inputSchema"], message: `inputSchema: ${messageOf(error)}` };
  }
}

/** The schema adds its own defaults when it checks an input. */
function withDefaults(input: Input, defaults: ReadonlyMap<string, unknown>): Input {
  const missing = [...defaults].filter(([name]) => !Object.hasOwn(input, name) || input[name] === undefined);
  return missing.length === 0 ? input : { ...input, ...Object.fromEntries(missing) };
}

function originOf(exportName: string, data: ToolsFile, file: ModuleFile): Tool["origin"] {
  const pluginName =
    typeof data.name === "string" && data.name.trim() !== "" ? data.name : (file.plugin?.name ?? file.name);
  const version = typeof data.version === "string" ? data.version : file.plugin?.version;
  return {
    source: "plugin",
    place: file.place,
    format: "json",
    file: file.path,
    exportName,
    pluginName,
    ...(version === undefined ? {} : { pluginVersion: version }),
  };
}

/** The default time limit of a call. */
const DEFAULT_TIMEOUT_MS = 120_000;
/** For the work of a handler after its own time limit, such as ending processes. */
const SLACK_MS = 5_000;

/** The time limit of the call must not be shorter than that of the handler. */
function limitsOf({ timeoutMs = 0 }: Handler): Limits {
  return timeoutMs + SLACK_MS > DEFAULT_TIMEOUT_MS ? { timeoutMs: timeoutMs + SLACK_MS } : {};
}
