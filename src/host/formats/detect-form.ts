import { isObject, isPlainObject } from "../../platform/values/is-object.ts";
import { libraryOf } from "../schema/dialect.ts";
import { isSelfDescribing } from "../schema/self-describing.ts";
import type { LoadedSource } from "./contributions.ts";
import {
  importsLangChain,
  importsToolDefine,
  isAmpPlugin,
  isFactory,
  isOfRoo,
  isOpenClawPlace,
  isOpenClawPlugin,
  isOpenCodePlugin,
  isPluginFunction,
} from "./factory-evidence.ts";
import type { FormRule } from "./form-rule.ts";
import { LIBRARY_RULES, type LibraryForm } from "./frameworks/library-rules.ts";
import { functionIn } from "./frameworks/sdk-function.ts";
import { serverFunction } from "./mcp-module/server-functions.ts";
import { isMcpServer } from "./mcp-module/server-shape.ts";
import { takesInputFirst, writtenFor } from "./pi/argument-order.ts";

/**
 * The forms of a tool export. A "pi-tool" is an object of pi or oh-my-pi, a "setup-plugin" one of OpenCode 2; a "function"
 * returns or registers its tools; a "creator" takes no arguments and returns them.
 */
export type ToolForm =
  | "tool"
  | "define"
  | "sdk"
  | "sdk-server"
  | "mcp-server"
  | "mcp-factory"
  | "mcp-register"
  | "ai-sdk"
  | "mastra"
  | "langchain"
  | "langchain-class"
  | "openai-agents"
  | LibraryForm
  | "roo"
  | "amp-plugin"
  | "pi-tool"
  | "setup-plugin"
  | "openclaw-plugin"
  | "function"
  | "creator";

/** `why` completes a sentence that begins with "because". */
export interface Detected<Form = ToolForm> {
  readonly form: Form;
  readonly why: string;
}

/**
 * Detects the form of an export by its shape; undefined if it is not a tool. A form whose functions are called to get the tools
 * also needs a place or an import that says so. Runs no code of the author except getters, and throws their errors.
 */
export function detectForm(
  value: unknown,
  exportName: string,
  from: LoadedSource,
): Detected<ToolForm | "list" | "record"> | undefined {
  if (typeof value === "function") return detectFunction(value, exportName, from);
  if (typeof value !== "object" || value === null) return undefined;
  return (
    detectOpenClaw(value, exportName, from) ??
    detectObject(value, from) ??
    detectPluginModule(value, exportName, from) ??
    detectSet(value, from)
  );
}

function detectObject(value: object, from: LoadedSource): Detected | undefined {
  if (Array.isArray(value)) return undefined;
  const isPi = writtenFor(from.source, from.file.system) !== undefined;
  const rule = RULES.find(({ fits }) => fits(value as Fields, { isPi, from }));
  if (rule?.form === "define" && !importsToolDefine(from)) return undefined;
  return rule && { form: rule.form, why: rule.why };
}

type Fields = { readonly [key: string]: unknown };

const isText = (value: unknown): value is string => typeof value === "string";
const isFunction = (value: unknown): boolean => typeof value === "function";
const takesInput = (value: Fields): boolean => "inputSchema" in value || "parameters" in value;

function hasConfig({ name, config }: Fields): boolean {
  if (!isObject(config) || !isText(name ?? config.name)) return false;
  return isText(config.description) || takesInput(config);
}

/** The first rule that fits decides. More specific rules come first. */
const RULES: readonly FormRule<ToolForm>[] = [
  ...LIBRARY_RULES,
  {
    form: "roo",
    why: 'it exports an object with "name" and "execute" and is written for Roo Code',
    fits: (value, { from, isPi }) =>
      !isPi && isText(value.name) && isFunction(value.execute) && !("label" in value) && isOfRoo(from),
  },
  {
    form: "openai-agents",
    why: 'it exports an object with type "function", "name", "parameters" and "invoke", the shape that tool() of the OpenAI Agents SDK returns',
    fits: (value) => value.type === "function" && isText(value.name) && isFunction(value.invoke),
  },
  {
    form: "langchain",
    why: 'it exports an object with "name", "schema" and "invoke", the shape that tool() of LangChain returns',
    fits: (value) => isText(value.name) && "schema" in value && isFunction(value.invoke),
  },
  {
    form: "define",
    why: 'it exports an object with "id" and "init", the shape that Tool.define() returns',
    fits: (value) => isText(value.id) && isFunction(value.init),
  },
  {
    form: "sdk-server",
    why: "it exports a server of createSdkMcpServer() of the Claude Agent SDK",
    fits: (value) => value.type === "sdk" && isFunction((value.instance as Fields | undefined)?.connect),
  },
  {
    form: "mcp-server",
    why: "it exports an MCP server",
    fits: isMcpServer,
  },
  {
    form: "sdk",
    why: 'it exports an object with "name" and "handler", the shape that agent SDKs accept',
    fits: (value) => isText(value.name) && isFunction(value.handler),
  },
  {
    form: "sdk",
    why: 'it exports an object with "name", "config" and a function, the arguments of registerTool() of MCP servers',
    fits: (value) => functionIn(value) !== undefined && hasConfig(value),
  },
  {
    form: "sdk",
    why: 'it exports an object with "name", "inputSchema" and "execute", the shape that agent SDKs accept',
    fits: (value) => isText(value.name) && "inputSchema" in value && isFunction(value.execute),
  },
  {
    form: "mastra",
    why: 'it exports an object with "id", "inputSchema" and "execute", the shape that createTool() of Mastra returns',
    fits: (value) => isText(value.id) && "inputSchema" in value && isFunction(value.execute),
  },
  {
    form: "sdk",
    why: 'it exports an object with "name", "parameters" and an "execute" whose first parameter is the input',
    fits: (value, { isPi }) =>
      !isPi && isText(value.name) && "parameters" in value && !("label" in value) && takesInputFirst(value.execute),
  },
  {
    form: "sdk",
    why: 'it exports an object with "name", "execute" and "parameters" that have getJsonSchema(), which tools of pi have not',
    fits: (value) =>
      isText(value.name) &&
      isSelfDescribing(value.parameters) &&
      isFunction(value.execute) &&
      libraryOf(value.parameters) === undefined,
  },
  {
    form: "pi-tool",
    why: 'it exports an object with "name", "parameters" and "execute", the shape of tools of pi',
    fits: (value) => isText(value.name) && isFunction(value.execute) && ("parameters" in value || "label" in value),
  },
  {
    form: "ai-sdk",
    why: 'it exports an object with "inputSchema" (or "parameters") and "execute", the shape that tool() of the AI SDK returns',
    fits: (value) => takesInput(value) && isFunction(value.execute),
  },
  {
    form: "ai-sdk",
    why: 'it exports an object with "description" and "inputSchema" and no "execute", the shape that tool() of the AI SDK returns for tools that run in a client',
    fits: (value) => isText(value.description) && "inputSchema" in value && !isText(value.name),
  },
  {
    form: "ai-sdk",
    why: 'it exports an object with type "provider", the shape of tools of the AI SDK that a model\'s provider runs',
    fits: (value) => (value.type === "provider" || value.type === "provider-defined") && isText(value.id),
  },
  {
    form: "tool",
    why: 'it exports an object with "description" and "execute", the shape that tool() returns',
    fits: (value) => isFunction(value.execute) && !takesInput(value) && !("handler" in value),
  },
];

/** OpenCode plugins can be exported as `{ id, server }`, those of OpenCode 2 as `{ id, setup }` or `{ id, effect }`. */
function detectPluginModule(value: object, exportName: string, from: LoadedSource): Detected | undefined {
  if (exportName !== "default") return undefined;
  const { id, server, setup, effect, tui } = value as Fields;
  if (![server, setup, effect, tui].some(isFunction) || !isOpenCodePlugin(exportName, from)) return undefined;
  if (isFunction(server)) {
    return { form: "function", why: 'its default export has "server", the shape of an OpenCode plugin' };
  }
  const isPlugin = isText(id) || from.file.opencodePlugin !== undefined;
  if (isPlugin && (isFunction(setup) || isFunction(effect))) {
    const field = isFunction(setup) ? "setup" : "effect";
    return { form: "setup-plugin", why: `its default export has "${field}", the shape of an OpenCode 2 plugin` };
  }
  if (!isPlugin || !isFunction(tui)) return undefined;
  return { form: "setup-plugin", why: 'its default export has "tui", a part of the terminal interface of OpenCode' };
}

/** OpenClaw plugins are objects with `register`, or functions. A module without default export may export `register` itself. */
function detectOpenClaw(value: object, exportName: string, from: LoadedSource): Detected | undefined {
  if (typeof value === "function") {
    if (exportName !== "default") {
      const isEntry = (exportName === "register" || exportName === "activate") && isOpenClawPlace(from);
      return isEntry
        ? { form: "openclaw-plugin", why: `it is an OpenClaw plugin and exports "${exportName}"` }
        : undefined;
    }
    if (!isOpenClawPlugin(exportName, from)) return undefined;
    return { form: "openclaw-plugin", why: "its default export is a function, and it is an OpenClaw plugin" };
  }
  const { register, activate, execute, setup, server } = value as Fields;
  const field = isFunction(register) ? "register" : "activate";
  if (![register, activate].some(isFunction) || [execute, setup, server].some(isFunction)) return undefined;
  if (exportName !== "default" || !(isChosenPlugin(value, from) || isOpenClawPlugin(exportName, from)))
    return undefined;
  return { form: "openclaw-plugin", why: `its default export has "${field}", the shape of an OpenClaw plugin` };
}

/** A program that passes a value says with it that it is a plugin. */
function isChosenPlugin(value: object, { file }: LoadedSource): boolean {
  return file.place === "code" && isText((value as Fields).id);
}

/** A list or a plain object with tools as direct members. */
function detectSet(value: object, from: LoadedSource): Detected<"list" | "record"> | undefined {
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value)) return undefined;
  const [member] = membersOf(value, from);
  if (!member) return undefined;
  return {
    form: isList ? "list" : "record",
    why: member.detected.why.replace("exports an", "exports a set of tools, each an"),
  };
}

/** The tools in a list or a plain object. Calls neither functions nor getters of it. */
export function membersOf(set: object, from: LoadedSource): { key: string; value: unknown; detected: Detected }[] {
  return Object.entries(Object.getOwnPropertyDescriptors(set)).flatMap(([key, { value }]) => {
    const detected = typeof value === "object" && value !== null ? detectObject(value, from) : undefined;
    return detected ? [{ key, value: value as unknown, detected }] : [];
  });
}

function detectFunction(value: object, exportName: string, from: LoadedSource): Detected | undefined {
  if (isLangChainClass(value) && importsLangChain(from)) {
    return { form: "langchain-class", why: "it exports a class that extends StructuredTool of LangChain" };
  }
  if (isClass(value)) return undefined;
  if (isAmpPlugin(exportName, from)) {
    return { form: "amp-plugin", why: "its default export is a function and is written for Amp" };
  }
  const openClaw = detectOpenClaw(value, exportName, from);
  if (openClaw) return openClaw;
  if (exportName === "default") {
    if (isFactory(exportName, from)) return { form: "function", why: "its default export is a function" };
    return detectServerFunction(value, exportName, from);
  }
  if (!isPluginFunction(value, exportName, from)) return undefined;
  return { form: "function", why: "it exports a function and is an OpenCode plugin" };
}

const SERVER_FUNCTIONS = {
  "mcp-factory": "it exports a function that creates an MCP server",
  "mcp-register": "it exports a function that adds tools to an MCP server",
} as const;

/** A function that is called to get an MCP server, or to add tools to one. */
export function detectServerFunction(value: unknown, exportName: string, from: LoadedSource): Detected | undefined {
  const form = serverFunction(value, exportName, from);
  return form && { form, why: SERVER_FUNCTIONS[form] };
}

function isLangChainClass(value: object): boolean {
  const { prototype } = value as { prototype?: unknown };
  if (!isClass(value) || typeof prototype !== "object" || prototype === null) return false;
  return isFunction((prototype as Fields).invoke) && isFunction((prototype as Fields)._call);
}

function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}
