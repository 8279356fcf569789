import { matchText } from "../core/wildcard.ts";
import type { Profile, SchemaRules } from "./profile.ts";

/**
 * What is known of each client, and how. Where nothing is known of a client, or of a part of a schema, nothing is changed.
 * A refusal by a model's API costs the whole request, with the tools of all servers.
 */

/** The API says: names match `^[a-zA-Z0-9_-]{1,64}$`; no oneOf, allOf, anyOf at the top level; names of top-level properties match this. */
const ANTHROPIC_FIELDS = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * OpenAI's API says: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level", "array schema
 * missing items", "object schema missing properties", and of parts "'allOf' is not permitted", "'oneOf' is not permitted".
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
 * Google's API takes a part of OpenAPI's schemas: "type: must be specified when not using one_of, any_of or all_of", one type
 * ("Proto field is not repeating"), "enum: only allowed for STRING type", "items: missing field", required fields that are
 * defined; `Unknown name` for all other keywords, and for texts only the formats "enum" and "date-time".
 */
const GOOGLE: SchemaRules = {
  plainRoot: true,
  refs: "written out",
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

/** Everything as it was written. */
export const VERBATIM: Profile = {
  id: "other",
  title: "other clients",
  clientNames: [],
  names: { prefix: "", most: 64 },
};

export const CLIENTS: readonly Profile[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    clientNames: ["claude-code"],
    // "tool_reference.tool_name: String should have at most 64 characters", counted with the prefix.
    names: { prefix: "mcp__{server}__", most: 64 },
    // It sends schemas on as they are, or drops a tool over the top level without a word. The API checks against 2020-12, so
    // lists of items and boolean bounds of older drafts are refused.
    schemas: { plainRoot: true, fieldNames: ANTHROPIC_FIELDS },
  },
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    clientNames: ["claude-ai"],
    // It checks the bare name. Alternatives at the root were seen to work here where Claude Code refused them.
    names: { prefix: "", most: 64 },
  },
  {
    id: "copilot-cli",
    title: "Copilot CLI",
    clientNames: ["copilot-cli", "github-copilot-developer"],
    // Some of the models behind it refuse longer names.
    names: { prefix: "{server}-", most: 64 },
    // What stands behind it is what stands behind VS Code. With Gemini, lists of types and `true` as a schema fail the request;
    // `nullable` is what VS Code sends there.
    schemas: { plainRoot: true, typeLists: "nullable", booleans: "objects", arrays: "have items" },
  },
  {
    id: "vscode",
    title: "VS Code",
    clientNames: ["visual studio code*", "code - oss*"],
    // It cuts longer names itself, so that two could become one.
    names: { prefix: "mcp_{server}_", most: 64 },
    // From its source: a list without items fails every request, and what is at the root beside the object is thrown away.
    schemas: { plainRoot: true, arrays: "have items" },
  },
  {
    id: "opencode",
    title: "OpenCode",
    clientNames: ["opencode"],
    // From its source: server and tool with "_" between them, not cut; the models' APIs take 64.
    names: { prefix: "{server}_", most: 64 },
    // From its source: the root gets a type, its properties and no others, and keeps alternatives, which the APIs refuse.
    // It fits schemas to OpenAI and Gemini itself, but for references and tuples.
    schemas: { plainRoot: true, refs: "written out", tuples: "items", fieldNames: ANTHROPIC_FIELDS },
  },
  {
    id: "codex",
    title: "Codex",
    clientNames: ["codex-mcp-client", "codex"],
    // Longer names get a hash of its own.
    names: { prefix: "mcp__{server}__", most: 64 },
    // From its source: it knows these keywords and forgets the others; without a type, and for oneOf, allOf, `true` and (in
    // older versions) references, it makes a text of the value; a list of items makes it drop the tool.
    schemas: {
      ...OPENAI,
      refs: "written out",
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
    // From its source: longer names lose their middle. The API says 64, and refuses 64.
    names: { prefix: "mcp_{server}_", most: 63 },
    // It leaves tools out that have "missing types in their parameter schema"; the API says "reference to undefined schema".
    // It sends JSON Schema, where "or null" as alternatives is what most servers have, and works.
    schemas: {
      ...GOOGLE,
      typeLists: "anyOf",
      keywords: new Set([...(GOOGLE.keywords ?? []), "additionalProperties"]),
    },
  },
  {
    id: "cursor",
    title: "Cursor",
    clientNames: ["cursor-vscode", "cursor"],
    // It leaves a tool out with "Combined server and tool name length (60) exceeds 60 characters": 59 pass.
    names: { prefix: "{server}", most: 59 },
    // Before a call it compares types itself: a list of types fits no value, and alternatives only by a type of their own, a
    // whole number being a number. Values other than texts and tuples were seen to fail with some of its models.
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
    // "mcp0_", with the place of the server among all.
    names: { prefix: "mcp00_", most: 64 },
    // It checks schemas against 2020-12, and hands on what OpenAI's API says.
    schemas: { plainRoot: true, arrays: "have items" },
  },
  {
    id: "zed",
    title: "Zed",
    clientNames: ["zed"],
    names: { prefix: "", most: 64 },
    // From its source: for some models, a tool with a reference or a condition anywhere is left out, and a value with a
    // description and no type becomes a text. The root goes to the models' APIs as it is.
    schemas: { plainRoot: true, refs: "written out", everyType: "anyOf", refused: new Set(["if", "then", "else"]) },
  },
  {
    id: "openai-api",
    title: "OpenAI's API",
    clientNames: [],
    names: { prefix: "", most: 64 },
    schemas: OPENAI,
    outputs: "none",
  },
  {
    id: "google-api",
    title: "Google's API",
    clientNames: [],
    // "Must start with a letter or an underscore".
    names: { prefix: "", most: 64, letterFirst: true },
    schemas: GOOGLE,
    outputs: "none",
  },
];

/** The profile of the client that calls itself so; that of others where it is not known. */
export function profileOf(clientInfo: { readonly name: string } | undefined): Profile {
  const name = clientInfo?.name.trim().toLowerCase() ?? "";
  return CLIENTS.find(({ clientNames }) => clientNames.some((pattern) => matchText(pattern, name))) ?? VERBATIM;
}
