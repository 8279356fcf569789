import { matchText } from "../../platform/text/wildcard.ts";
import { CLAUDE_CODE_NAMES, type NameRules } from "./fit-names.ts";
import type { SchemaRules } from "./schema-rules.ts";

/**
 * The known limits of a client, or of a model API, for names and schemas. Everything that is not known to fail is sent unchanged. If a
 * model API rejects one tool, the whole request fails, with the tools of all servers.
 */
export interface ClientLimits {
  /** Its name on the command line. */
  readonly id: string;
  readonly title: string;
  /** Patterns for the name in its `clientInfo`. */
  readonly clientNames: readonly string[];
  readonly names: NameRules;
  /** Absent if schemas are sent unchanged. */
  readonly schemas?: SchemaRules;
  /** Set if output schemas and structured content are not supported. */
  readonly outputs?: "none";
  /** How long the first list may take, in ms after the start of the server; by default `FIRST_LIST_MS`. */
  readonly firstListMs?: number;
}

/** Clients wait five seconds and longer for the tools of a server. */
const FIRST_LIST_MS = 3_000;

/** From the error messages of Anthropic's API: names match `^[a-zA-Z0-9_-]{1,64}$`; no oneOf, allOf, anyOf at the top level; names of top-level properties match this. */
const ANTHROPIC_FIELDS = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * From the error messages of OpenAI's API: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level", "array schema
 * missing items", "object schema missing properties", and below the top level "'allOf' is not permitted", "'oneOf' is not permitted".
 */
const OPENAI: SchemaRules = {
  plainRoot: true,
  oneOf: "anyOf",
  allOf: "merged",
  tuples: "items",
  arrays: "have items",
  objects: "have properties",
};

/**
 * Google's API accepts a subset of OpenAPI's schemas: "type: must be specified when not using one_of, any_of or all_of", one type
 * ("Proto field is not repeating"), "enum: only allowed for STRING type", "items: missing field", required fields that are
 * defined; `Unknown name` for all other keywords, and for strings only the formats "enum" and "date-time".
 */
const GOOGLE: SchemaRules = {
  plainRoot: true,
  refs: "inlined",
  oneOf: "anyOf",
  allOf: "merged",
  typeLists: "nullable",
  everyType: "anyOf",
  enums: "strings",
  tuples: "items",
  arrays: "have items",
  objects: "have properties",
  keywords: new Set([
    "type",
    "format",
    "title",
    "description",
    "enum",
    "items",
    "minItems",
    "maxItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "anyOf",
  ]),
  formats: new Set(["date-time", "float", "double", "int32", "int64"]),
};

/** For clients that are not in the list. */
export const NO_LIMITS: ClientLimits = {
  id: "other",
  title: "other clients",
  clientNames: [],
  names: { prefix: "", maxLength: 64 },
};

export const CLIENT_LIMITS: readonly ClientLimits[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    clientNames: ["claude-code"],
    names: CLAUDE_CODE_NAMES,
    // It passes schemas on unchanged, or silently drops a tool because of the top level. The API validates against 2020-12 and
    // rejects tuples and boolean bounds of older drafts.
    schemas: { plainRoot: true, fieldNames: ANTHROPIC_FIELDS },
  },
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    clientNames: ["claude-ai"],
    // It checks the bare name. Alternatives at the root were seen to work here where Claude Code refused them.
    names: { prefix: "", maxLength: 64 },
  },
  {
    id: "copilot-cli",
    title: "Copilot CLI",
    clientNames: ["copilot-cli", "github-copilot-developer"],
    // Some of its models reject longer names.
    names: { prefix: "{server}-", maxLength: 64 },
    // It uses the same models as VS Code. With Gemini, lists of types and `true` as a schema fail the request; VS Code sends
    // `nullable` instead.
    schemas: { plainRoot: true, typeLists: "nullable", booleans: "objects", arrays: "have items" },
  },
  {
    id: "vscode",
    title: "VS Code",
    clientNames: ["visual studio code*", "code - oss*"],
    // It cuts longer names itself, which may make two names equal.
    names: { prefix: "mcp_{server}_", maxLength: 64 },
    // From its source: an array without items fails every request, and alternatives at the root are dropped.
    schemas: { plainRoot: true, arrays: "have items" },
  },
  {
    id: "opencode",
    title: "OpenCode",
    clientNames: ["opencode"],
    // From its source: server and tool joined by "_", not cut. The model APIs accept 64 characters.
    names: { prefix: "{server}_", maxLength: 64 },
    // From its source: it adds a type and `additionalProperties: false` to the root and keeps alternatives, which the APIs
    // reject. It adapts schemas to OpenAI and Gemini itself, except references and tuples.
    schemas: { plainRoot: true, refs: "inlined", tuples: "items", fieldNames: ANTHROPIC_FIELDS },
  },
  {
    id: "codex",
    title: "Codex",
    clientNames: ["codex-mcp-client", "codex"],
    // It starts its turn without the tools of a server that takes 0.8 s; with 0.5 s it has them.
    firstListMs: 400,
    // It replaces the end of longer names by a hash.
    names: { prefix: "mcp__{server}__", maxLength: 64 },
    // From its source: it drops all other keywords. Schemas without a type, oneOf, allOf, `true` and (in older versions)
    // references become strings. A tuple makes it drop the tool.
    schemas: {
      ...OPENAI,
      refs: "inlined",
      everyType: "list",
      keywords: new Set([
        "type",
        "description",
        "enum",
        "items",
        "properties",
        "required",
        "additionalProperties",
        "anyOf",
      ]),
    },
  },
  {
    id: "gemini-cli",
    title: "Gemini CLI",
    clientNames: ["gemini-cli*"],
    // From its source: it cuts the middle out of longer names. The API documents 64 characters but rejects 64.
    names: { prefix: "mcp_{server}_", maxLength: 63 },
    // It drops tools that have "missing types in their parameter schema". The API rejects references with "reference to
    // undefined schema". "Or null" works as alternatives, because it sends JSON Schema.
    schemas: {
      ...GOOGLE,
      typeLists: "anyOf",
      keywords: new Set([...(GOOGLE.keywords ?? []), "additionalProperties"]),
    },
  },
  {
    id: "pi",
    title: "pi and oh-my-pi",
    clientNames: ["pi", "oh-my-pi", "omp-coding-agent"],
    // Our extension shows the bare name. The MCP clients of both add a prefix.
    names: { prefix: "mcp__{server}__", maxLength: 64 },
    // From its source: for Anthropic's API it keeps only the properties of the root, so alternatives and definitions there are
    // lost. Other APIs get the schema unchanged.
    schemas: { plainRoot: true, refs: "inlined", tuples: "items", arrays: "have items", fieldNames: ANTHROPIC_FIELDS },
  },
  {
    id: "qwen-code",
    title: "Qwen Code",
    clientNames: ["qwen-cli-mcp-client*", "qwen-code-mcp-client*"],
    // From its source: it cuts the middle out of names over 63 characters.
    names: { prefix: "mcp__{server}__", maxLength: 63 },
    // From its source: schemas are passed to APIs like OpenAI's unchanged.
    schemas: { plainRoot: true, arrays: "have items" },
  },
  {
    id: "kimi-code",
    title: "Kimi Code",
    clientNames: ["kimi-code"],
    names: { prefix: "mcp__{server}__", maxLength: 64 },
    // It uses APIs like OpenAI's and Anthropic's.
    schemas: { plainRoot: true, arrays: "have items" },
  },
  {
    id: "cursor",
    title: "Cursor",
    clientNames: ["cursor-vscode", "cursor"],
    // It drops a tool with "Combined server and tool name length (60) exceeds 60 characters": 59 pass.
    names: { prefix: "{server}", maxLength: 59 },
    // Before a call it compares types itself: no value matches a list of types, and alternatives match by their own type,
    // where integers count as numbers. Enums of other values than strings, and tuples, fail with some of its models.
    schemas: {
      plainRoot: true,
      typeLists: "anyOf",
      alternatives: "typed",
      enums: "strings",
      tuples: "items",
      arrays: "have items",
    },
  },
  {
    id: "windsurf",
    title: "Windsurf",
    clientNames: ["windsurf*"],
    // The prefix is "mcp0_" with the index of the server.
    names: { prefix: "mcp00_", maxLength: 64 },
    // It validates schemas against 2020-12, and reports errors of OpenAI's API.
    schemas: { plainRoot: true, arrays: "have items" },
  },
  {
    id: "zed",
    title: "Zed",
    clientNames: ["zed"],
    names: { prefix: "", maxLength: 64 },
    // From its source: for some models it drops tools with a reference or a condition, and a schema with a description but no
    // type becomes a string. The root is passed to the model APIs unchanged.
    schemas: { plainRoot: true, refs: "inlined", everyType: "anyOf", refused: new Set(["if", "then", "else"]) },
  },
  {
    id: "openai-api",
    title: "OpenAI's API",
    clientNames: [],
    names: { prefix: "", maxLength: 64 },
    schemas: OPENAI,
    outputs: "none",
  },
  {
    id: "google-api",
    title: "Google's API",
    clientNames: [],
    // "Must start with a letter or an underscore".
    names: { prefix: "", maxLength: 64, letterFirst: true },
    schemas: GOOGLE,
    outputs: "none",
  },
];

/** The limits of a client by the name in its `clientInfo`; `NO_LIMITS` for an unknown client. */
export function limitsOf(clientInfo: { readonly name: string } | undefined): ClientLimits {
  const name = clientInfo?.name.trim().toLowerCase() ?? "";
  return CLIENT_LIMITS.find(({ clientNames }) => clientNames.some((pattern) => matchText(pattern, name))) ?? NO_LIMITS;
}

/** How long the first list for a client may take, in ms after the start of the server. */
export function firstListMs(clientInfo: { readonly name: string } | undefined): number {
  return limitsOf(clientInfo).firstListMs ?? FIRST_LIST_MS;
}

/** The limits of the API of a provider: "anthropic", "google/gemini-3". Most APIs are like OpenAI's. Names have no prefix. */
export function apiLimits(provider: string): ClientLimits {
  const id = provider.startsWith("google")
    ? "google-api"
    : /^anthropic\b/.test(provider)
      ? "claude-code"
      : "openai-api";
  const limits = CLIENT_LIMITS.find((each) => each.id === id) ?? NO_LIMITS;
  return { ...limits, names: { ...limits.names, prefix: "" } };
}
