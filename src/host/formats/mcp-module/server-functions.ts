import { codeOnly } from "../../../platform/text/code-only.ts";
import type { LoadedSource } from "../contributions.ts";
import { importsPackage } from "../factory-evidence.ts";

/** What an exported function does with an MCP server: it creates one, or adds tools to the one that it is given. */
export type ServerFunction = "mcp-factory" | "mcp-register";

/** The packages with servers. */
const SERVER_PACKAGE =
  /^(?:@modelcontextprotocol\/(?:sdk(?:\/server(?:\/.*)?)?|server(?:\/.*)?)|fastmcp|@smithery\/sdk(?:\/.*)?)(?:\.js)?$/;

/** Whether the file, or a file of the author that it imports, imports a package with MCP servers. */
export function importsMcpServer(from: LoadedSource): boolean {
  return importsPackage(from, SERVER_PACKAGE);
}

/** A name that functions have which create a server. */
const CREATES = /^(?:create|make|build|get|new|init)\w*(?:Server|MCP|Mcp)$/;
/** The names of Smithery. They get a configuration. */
const SMITHERY = /^create(?:Sandbox|Stateless|Stateful|Mcp|MCP)?Server$/;
const REGISTERS =
  /^(?:register|add|set|setup|configure|init|initialize|define|install|attach|mount|load|create)(?:[A-Z_]\w*)?$/;

/** A parameter that is a server, by its name. */
const SERVER_PARAMETER = /^_?(?:\w*[sS]erver|mcp|fastmcp)$/;
/** A parameter that is the configuration of Smithery or options of the author. */
const OPTIONS_PARAMETER = /^_?(?:\w*[cC]onfig\w*|options|opts|env|context|ctx|session|settings)$/;
const OPTIONS_KEY = /^_?(?:config|env|session|sessionId|auth|logger|context|headers|settings)$/;

/**
 * Whether a function is called to get tools. Besides an import of a package with MCP servers, its name and the names of its
 * parameters must say so; for a default export, its name or its code. Any other function may be the body of a tool.
 */
export function serverFunction(value: unknown, exportName: string, from: LoadedSource): ServerFunction | undefined {
  if (typeof value !== "function" || /^class\b/.test(Function.prototype.toString.call(value))) return undefined;
  if (!importsMcpServer(from)) return undefined;
  const [first, ...others] = parametersOf(value);
  const isDefault = exportName === "default";
  if (others.some((each) => !hasDefault(each))) return undefined;
  if (first !== undefined && SERVER_PARAMETER.test(nameOf(first))) {
    return isDefault || REGISTERS.test(exportName) ? "mcp-register" : undefined;
  }
  if (isDefault) {
    return (first === undefined || takesOptions(first)) && namesServer(value) ? "mcp-factory" : undefined;
  }
  const isCallable = first === undefined || hasDefault(first) || (SMITHERY.test(exportName) && takesConfig(first));
  return isCallable && CREATES.test(exportName) ? "mcp-factory" : undefined;
}

/** Whether a server is named in the code of a function, outside of texts and comments. */
function namesServer(value: object): boolean {
  return /server|mcp/i.test(codeOnly(Function.prototype.toString.call(value)));
}

function takesOptions(parameter: string): boolean {
  return hasDefault(parameter) || OPTIONS_PARAMETER.test(nameOf(parameter)) || takesConfig(parameter);
}

/** Whether it takes fields out of the argument that Smithery passes. */
function takesConfig(parameter: string): boolean {
  const [, inner] = /^\{([\s\S]*)\}/.exec(parameter) ?? [];
  const keys = splitAtCommas(inner ?? "").map((each) => nameOf(each.replace(/^\.\.\./, "")));
  return inner !== undefined && keys.every((key) => OPTIONS_KEY.test(key));
}

function hasDefault(parameter: string): boolean {
  return /^(?:[\w$]+|\{[\s\S]*\})\s*=/.test(parameter) || parameter.startsWith("...");
}

function nameOf(parameter: string): string {
  return /^[\w$]*/.exec(parameter)?.[0] ?? "";
}

/** The text of each parameter of a function. */
export function parametersOf(value: object): string[] {
  const text = codeOnly(Function.prototype.toString.call(value)).replace(/^async\b\s*/, "");
  const [, single] = /^([\w$]+)\s*=>/.exec(text) ?? [];
  if (single !== undefined) return [single];
  const start = text.indexOf("(");
  return start < 0 ? [] : splitAtCommas(text.slice(start + 1), true);
}

/** Splits at commas outside of brackets. `untilClosed`: the text ends at the first bracket that closes nothing. */
function splitAtCommas(text: string, untilClosed = false): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if ("([{".includes(character)) depth += 1;
    if (")]}".includes(character)) depth -= 1;
    if (depth < 0 && untilClosed) break;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
