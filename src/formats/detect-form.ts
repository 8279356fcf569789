import { isPlainObject } from "../core/is-object.ts";
import type { ModuleFile } from "./contributions.ts";
import { takesInputFirst, writtenFor } from "./pi/argument-order.ts";

/** The forms that a tool can have. "named" has a name, parameters and execute; "callable" makes or registers its tools. */
export type ToolForm =
  | "tool"
  | "define"
  | "sdk"
  | "sdk-server"
  | "ai-sdk"
  | "mastra"
  | "langchain"
  | "langchain-class"
  | "openai-agents"
  | "named"
  | "callable";

/** What something was taken for. `why` is the rest of a sentence that begins with "because". */
export interface Detected<Form = ToolForm> {
  readonly form: Form;
  readonly why: string;
}

/**
 * Which form an export has, by its shape; undefined for whatever is no tool. Calls nothing of the author's but getters,
 * and throws what these throw.
 */
export function detectForm(
  value: unknown,
  exportName: string,
  file: ModuleFile,
  source: string,
): Detected<ToolForm | "list" | "record"> | undefined {
  if (typeof value === "function") return detectFunction(value, exportName, file, source);
  if (typeof value !== "object" || value === null) return undefined;
  const around = { file, source };
  return detectObject(value, around) ?? detectPluginModule(value, exportName) ?? detectSet(value, around);
}

/** The file that something was found in, and its text. */
interface Around {
  readonly file: ModuleFile;
  readonly source: string;
}

/** One tool that is an object, or undefined. */
function detectObject(value: object, { file, source }: Around): Detected | undefined {
  if (Array.isArray(value)) return undefined;
  const isPi = writtenFor(source, file.system) !== undefined;
  const rule = RULES.find(({ fits }) => fits(value as Fields, isPi));
  return rule && { form: rule.form, why: rule.why };
}

type Fields = { readonly [key: string]: unknown };

interface Rule {
  readonly form: ToolForm;
  readonly why: string;
  /** `isPi`: whether the file was written for pi or oh-my-pi. */
  fits(value: Fields, isPi: boolean): boolean;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isFunction = (value: unknown): boolean => typeof value === "function";
const takesInput = (value: Fields): boolean => "inputSchema" in value || "parameters" in value;

/** The first that fits decides: those with the most telling marks stand first. */
const RULES: readonly Rule[] = [
  {
    form: "openai-agents",
    why: 'it exports an object with type "function", "name", "parameters" and "invoke", as tool() of the OpenAI Agents SDK makes them',
    fits: (value) => value.type === "function" && isText(value.name) && isFunction(value.invoke),
  },
  {
    form: "langchain",
    why: 'it exports an object with "name", "schema" and "invoke", as tool() of LangChain makes them',
    fits: (value) => isText(value.name) && "schema" in value && isFunction(value.invoke),
  },
  {
    form: "define",
    why: 'it exports an object with "id" and "init", as Tool.define() makes them',
    fits: (value) => isText(value.id) && isFunction(value.init),
  },
  {
    form: "sdk-server",
    why: "it exports what createSdkMcpServer() of the Claude Agent SDK makes",
    fits: (value) => value.type === "sdk" && isFunction((value.instance as Fields | undefined)?.connect),
  },
  {
    form: "sdk",
    why: 'it exports an object with "name" and "handler", as agent SDKs take them',
    fits: (value) => isText(value.name) && isFunction(value.handler),
  },
  {
    form: "sdk",
    why: 'it exports an object with "name", "inputSchema" and "execute", as agent SDKs take them',
    fits: (value) => isText(value.name) && "inputSchema" in value && isFunction(value.execute),
  },
  {
    form: "mastra",
    why: 'it exports an object with "id", "inputSchema" and "execute", as createTool() of Mastra makes them',
    fits: (value) => isText(value.id) && "inputSchema" in value && isFunction(value.execute),
  },
  {
    form: "sdk",
    why: 'it exports an object with "name", "parameters" and an "execute" whose first parameter is the input',
    fits: (value, isPi) =>
      !isPi && isText(value.name) && "parameters" in value && !("label" in value) && takesInputFirst(value.execute),
  },
  {
    form: "named",
    why: 'it exports an object with "name", "parameters" and "execute", as tools of pi have them',
    fits: (value) => isText(value.name) && isFunction(value.execute) && ("parameters" in value || "label" in value),
  },
  {
    form: "ai-sdk",
    why: 'it exports an object with "inputSchema" (or "parameters") and "execute", as tool() of the AI SDK makes them',
    fits: (value) => takesInput(value) && isFunction(value.execute),
  },
  {
    form: "ai-sdk",
    why: 'it exports an object with "description" and "inputSchema" and no "execute", as tool() of the AI SDK makes them for clients',
    fits: (value) => isText(value.description) && "inputSchema" in value && !isText(value.name),
  },
  {
    form: "ai-sdk",
    why: 'it exports an object of the type "provider", as the AI SDK has them for tools that a model\'s provider runs',
    fits: (value) => (value.type === "provider" || value.type === "provider-defined") && isText(value.id),
  },
  {
    form: "tool",
    why: 'it exports an object with "description" and "execute", as tool() makes them',
    fits: (value) => isFunction(value.execute) && !takesInput(value) && !("handler" in value),
  },
];

/** OpenCode's way of exporting a plugin with an id. */
function detectPluginModule(value: object, exportName: string): Detected | undefined {
  if (exportName !== "default" || !isFunction((value as Fields).server)) return undefined;
  return { form: "callable", why: 'its default export has "server", as plugins of OpenCode have it' };
}

/** A list or a plain object that has tools as members; deeper ones are not looked for. */
function detectSet(value: object, around: Around): Detected<"list" | "record"> | undefined {
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value)) return undefined;
  const [member] = membersOf(value, around);
  if (!member) return undefined;
  return {
    form: isList ? "list" : "record",
    why: member.recognised.why.replace("exports an", "exports a set of tools, each an"),
  };
}

/** The tools in a list or a plain object. Functions in it are never called, and getters of its own not either. */
export function membersOf(set: object, around: Around): { key: string; value: unknown; recognised: Detected }[] {
  return Object.entries(Object.getOwnPropertyDescriptors(set)).flatMap(([key, { value }]) => {
    const recognised = typeof value === "object" && value !== null ? detectObject(value, around) : undefined;
    return recognised ? [{ key, value: value as unknown, recognised }] : [];
  });
}

function detectFunction(value: object, exportName: string, file: ModuleFile, source: string): Detected | undefined {
  if (isLangChainClass(value)) {
    return { form: "langchain-class", why: "it exports a class that extends StructuredTool of LangChain" };
  }
  if (isClass(value)) return undefined;
  if (exportName === "default") return { form: "callable", why: "its default export is a function" };
  if (!isPluginFile(file, source)) return undefined;
  return { form: "callable", why: "it exports a function and is a plugin of OpenCode" };
}

function isLangChainClass(value: object): boolean {
  const { prototype } = value as { prototype?: unknown };
  if (!isClass(value) || typeof prototype !== "object" || prototype === null) return false;
  return isFunction((prototype as Fields).invoke) && isFunction((prototype as Fields)._call);
}

function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

const PLUGIN_FOLDER = /[\\/]\.?opencode[\\/]plugins?[\\/]/;
const PLUGIN_IMPORT =
  /\bimport\b[^;"']*\b(?:Plugin|PluginInput|PluginModule|Hooks)\b[^;"']*\bfrom\s*["']@opencode-ai\/plugin["']/;

/** Tool files import from that package too, and their other functions are the author's own. */
function isPluginFile(file: ModuleFile, source: string): boolean {
  return PLUGIN_FOLDER.test(file.path) || PLUGIN_IMPORT.test(source);
}
