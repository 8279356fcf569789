import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonSchema } from "../src/core/schema.ts";
import { CLIENT_LIMITS, limitsOf, NO_LIMITS } from "../src/surfaces/client-limits/client-limits.ts";
import { fitTools } from "../src/surfaces/client-limits/fit-tools.ts";
import { cli, ensureBuilt, json } from "./support/cli.ts";
import { sandbox } from "./support/fixture.ts";
import { put } from "./support/temporary.ts";

/** A tool with this input schema, as sent to a client. */
function sent(client: string, inputSchema: JsonSchema, description = "Finds things.") {
  const limits = CLIENT_LIMITS.find(({ id }) => id === client);
  if (limits === undefined) throw new Error(`no client ${client}`);
  const [fitted] = fitTools([{ name: "find", description, inputSchema }], limits);
  if (fitted === undefined) throw new Error("nothing was sent");
  return { schema: fitted.tool.inputSchema, description: fitted.tool.description, changes: fitted.changes };
}

/** One field, as sent to a client. */
function field(client: string, schema: unknown, definitions: JsonSchema = {}) {
  const { schema: whole, changes } = sent(client, { type: "object", properties: { x: schema }, ...definitions });
  return { x: (whole.properties as JsonSchema).x, changes };
}

describe("limitsOf", () => {
  it.each([
    ["claude-code", "claude-code"],
    ["claude-ai", "claude-desktop"],
    ["copilot-cli", "copilot-cli"],
    ["github-copilot-developer", "copilot-cli"],
    ["Visual Studio Code", "vscode"],
    ["Visual Studio Code - Insiders", "vscode"],
    ["opencode", "opencode"],
    ["codex-mcp-client", "codex"],
    ["gemini-cli-mcp-client", "gemini-cli"],
    ["pi", "pi"],
    ["oh-my-pi", "pi"],
    ["omp-coding-agent", "pi"],
    ["qwen-cli-mcp-client-toolwright", "qwen-code"],
    ["kimi-code", "kimi-code"],
    ["cursor-vscode", "cursor"],
    ["windsurf-client", "windsurf"],
    ["Zed", "zed"],
    ["mcp-inspector", "other"],
    ["", "other"],
  ])("[M5] %s is %s", (name, id) => {
    expect(limitsOf({ name }).id).toBe(id);
  });

  it("[M5] sends unknown clients the tools unchanged", () => {
    const tool = { name: "find", description: "", inputSchema: { anyOf: [{ $ref: "#/$defs/nowhere" }] } };
    expect(limitsOf(undefined)).toBe(NO_LIMITS);
    expect(fitTools([tool], NO_LIMITS)).toEqual([{ tool, name: "find", changes: [] }]);
    expect(fitTools([tool], NO_LIMITS)[0]?.tool).toBe(tool);
  });
});

const KINDS: JsonSchema = {
  type: "object",
  properties: { limit: { type: "integer" } },
  oneOf: [
    { properties: { kind: { const: "path" }, path: { type: "string" } }, required: ["kind", "path"] },
    { $ref: "#/$defs/Url" },
  ],
  $defs: {
    Url: {
      properties: { kind: { const: "url" }, url: { type: "string" }, depth: { type: "integer" } },
      required: ["kind", "url"],
    },
  },
};

describe("the root", () => {
  it("[M5] is one object with the fields of all alternatives, which the description lists", () => {
    const { schema, description, changes } = sent("claude-code", KINDS, "Finds things");
    expect(schema).toEqual({
      type: "object",
      properties: {
        limit: { type: "integer" },
        kind: { enum: ["path", "url"] },
        path: { type: "string" },
        url: { type: "string" },
        depth: { type: "integer" },
      },
      required: ["kind"],
      $defs: KINDS.$defs,
    });
    expect(description).toBe(
      'Finds things.\n\nSend one of these: { kind: "path", path } or { kind: "url", url, depth? }.',
    );
    expect(changes).toEqual([
      "the input: references are inlined",
      "the input: 2 alternatives are merged into one object with all fields",
    ]);
  });

  it("[M5] lists which fields are required together", () => {
    const properties = { id: { type: "string" }, name: { type: "string" }, deep: { type: "boolean" } };
    const input = { type: "object", properties, anyOf: [{ required: ["id"] }, { required: ["name"] }] };
    const { schema, description } = sent("openai-api", input);
    expect(schema).toEqual({ type: "object", properties });
    expect(description).toBe("Finds things.\n\nSend one of these: { id, name? } or { id?, name }.");
  });

  it("[M5] keeps the fields of more alternatives than are listed", () => {
    const names = Array.from({ length: 40 }, (_, index) => `f${index}`);
    const anyOf = names.map((name) => ({
      properties: { kind: { const: name }, [name]: { type: "string" } },
      required: ["kind", name],
    }));
    const { schema, changes } = sent("claude-code", { type: "object", anyOf });
    const fields = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    expect(schema).toEqual({ type: "object", properties: { kind: { enum: names }, ...fields }, required: ["kind"] });
    expect(changes).toEqual(["the input: alternatives are merged into one object with all fields"]);
  });

  it("[M5] merges allOf", () => {
    const { schema, changes } = sent("vscode", {
      type: "object",
      allOf: [
        { properties: { a: { type: "string", minLength: 1 } }, required: ["a"] },
        { properties: { a: { maxLength: 9, minLength: 2 }, b: {} }, required: ["b"] },
      ],
    });
    expect(schema).toEqual({
      type: "object",
      properties: { a: { type: "string", minLength: 2, maxLength: 9 }, b: {} },
      required: ["a", "b"],
    });
    expect(changes).toEqual(['the input: the schemas in "allOf" are merged']);
  });

  it("[M5] moves not to the description", () => {
    const not = { required: ["a", "b"] };
    const { schema, description } = sent("copilot-cli", { type: "object", properties: {}, not });
    expect(schema).toEqual({ type: "object", properties: {} });
    expect(description).toBe('Finds things.\n\nNot: {"required":["a","b"]}.');
  });

  it("[M5] moves fields with refused names to the description", () => {
    const { schema, description, changes } = sent("claude-code", {
      type: "object",
      properties: { "filter[id]": { type: "string" }, all: { type: "boolean" } },
      required: ["filter[id]", "all"],
      additionalProperties: false,
    });
    expect(schema).toEqual({ type: "object", properties: { all: { type: "boolean" } }, required: ["all"] });
    expect(description).toBe('Finds things.\n\nNeeds the field "filter[id]": {"type":"string"}.');
    expect(changes).toEqual(["filter[id]: the client refuses this name, so the field is moved to the description"]);
  });
});

describe("references", () => {
  const tree = {
    type: "object",
    description: "A node",
    properties: { kids: { type: "array", items: { $ref: "#/$defs/T" } } },
  };

  it("[M5] are inlined, recursive ones once", () => {
    const { x, changes } = field("opencode", { $ref: "#/$defs/T" }, { $defs: { T: tree } });
    const inner = { type: "object", description: "A node. It has the same structure as the value that contains it." };
    expect(x).toEqual({ ...tree, properties: { kids: { type: "array", items: inner } } });
    expect(changes).toEqual(["the input, x: references are inlined", "x.kids[]: a recursive schema is inlined once"]);
  });

  it("[M5] stay for clients that support them", () => {
    const input = { type: "object", properties: { x: { $ref: "#/$defs/T" } }, $defs: { T: tree } };
    expect(sent("claude-code", input).changes).toEqual([]);
  });

  it("[M5] without a target are left out", () => {
    const { x, changes } = field("zed", { $ref: "https://example.com/x.json", type: "string" });
    expect(x).toEqual({ type: "string" });
    expect(changes).toEqual(["x: the reference https://example.com/x.json cannot be resolved and is left out"]);
  });

  it("[M5] are relative to the $id of their schema", () => {
    const $defs = {
      Name: { type: "string" },
      Other: { $id: "https://example.com/other", properties: { a: { $ref: "#/$defs/Name" } }, type: "object" },
    };
    const { schema, changes } = sent("opencode", {
      $id: "https://example.com/root",
      type: "object",
      properties: {
        x: { $ref: "#/$defs/Name" },
        y: { $ref: "https://example.com/root#/$defs/Name" },
        z: { $ref: "#/$defs/Other" },
      },
      $defs,
    });
    expect(schema).toEqual({
      type: "object",
      properties: { x: { type: "string" }, y: { type: "string" }, z: { type: "object", properties: { a: {} } } },
    });
    expect(changes).toEqual([
      "the input, x, y and 1 more: references are inlined",
      "z.a: the reference #/$defs/Name cannot be resolved and is left out",
    ]);
  });

  it("[M5] are limited when they grow exponentially", () => {
    const double = (name: string) => ({ type: "object", properties: { a: { $ref: name }, b: { $ref: name } } });
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`D${index}`, double(`#/$defs/D${index + 1}`)]),
    );
    for (const client of ["codex", "google-api"]) {
      const { x, changes } = field(client, { $ref: "#/$defs/D0" }, { $defs: { ...$defs, D40: { type: "string" } } });
      expect(JSON.stringify(x).length).toBeLessThan(2_000_000);
      expect(changes.some((change) => change.endsWith("too large or too deep: sent as a value of any type"))).toBe(
        true,
      );
    }
    const unions = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `D${index}`,
        { anyOf: [{ $ref: `#/$defs/D${index + 1}` }, { $ref: `#/$defs/D${index + 1}` }] },
      ]),
    );
    const { schema } = sent("claude-code", { type: "object", $ref: "#/$defs/D0", $defs: { ...unions, D40: {} } });
    expect(schema.type).toBe("object");
  });
});

describe("keywords", () => {
  it("[M5] that allow null are written as the client supports it", () => {
    const optional = { type: ["string", "null"], description: "A name", enum: ["a", "b", null] };
    expect(field("claude-code", optional).x).toEqual(optional);
    expect(field("google-api", optional).x).toEqual({
      type: "string",
      description: "A name",
      enum: ["a", "b"],
      nullable: true,
    });
    expect(field("gemini-cli", optional)).toEqual({
      x: { description: "A name", anyOf: [{ type: "string", enum: ["a", "b"] }, { type: "null" }] },
      changes: ["x: the list of types became alternatives"],
    });
    expect(field("copilot-cli", { type: ["object", "null"] })).toEqual({
      x: { type: "object", nullable: true },
      changes: ['x: the list of types became "nullable"'],
    });
    expect(field("google-api", { anyOf: [{ type: "integer" }, { type: "null" }], description: "A count" })).toEqual({
      x: { type: "integer", nullable: true, description: "A count" },
      changes: ['x: "or null" became "nullable"'],
    });
  });

  it("[M5] get a type for clients that require one", () => {
    expect(field("codex", { enum: [1, 2] }).x).toEqual({ type: "number", enum: [1, 2] });
    expect(field("codex", { properties: { a: { type: "string" } } }).x).toEqual({
      type: "object",
      properties: { a: { type: "string" } },
    });
    expect(field("google-api", { description: "Whatever" })).toEqual({
      x: expect.objectContaining({
        description: "Whatever",
        anyOf: expect.arrayContaining([{ type: "string", nullable: true }, { type: "boolean" }]),
      }),
      changes: ["x: a value of any type is sent as a list of all types"],
    });
  });

  it("[M5] that the client drops are moved to the description", () => {
    const port = { type: "integer", minimum: 1, exclusiveMaximum: 65536, default: 80, description: "The port" };
    expect(field("codex", port)).toEqual({
      x: { type: "integer", description: "The port. At least 1. Less than 65536. Default: 80." },
      changes: [
        'x: "minimum" is moved to the description',
        'x: "exclusiveMaximum" is moved to the description',
        'x: "default" is moved to the description',
      ],
    });
    expect(field("gemini-cli", { type: "string", format: "uuid" })).toEqual({
      x: { type: "string", description: "Format: uuid." },
      changes: ['x: the format "uuid" is moved to the description'],
    });
    expect(field("gemini-cli", { type: "integer", enum: [1, 2] })).toEqual({
      x: { type: "integer", description: "One of: 1, 2." },
      changes: ['x: "enum" with other values than strings is moved to the description'],
    });
  });

  it("[M5] of arrays get one schema for all items", () => {
    const pair = { type: "array", prefixItems: [{ type: "number" }, { type: "string" }], items: false };
    expect(field("cursor", pair).x).toEqual({
      type: "array",
      items: { anyOf: [{ type: "number" }, { type: "string" }] },
      maxItems: 2,
      description: 'Items in this order: {"type":"number"}, {"type":"string"}.',
    });
    expect(field("vscode", { type: "array" })).toEqual({
      x: { type: "array", items: {} },
      changes: ['x: an array gets "items"'],
    });
  });

  it("[M5] of older drafts are sent as 2020-12", () => {
    const { schema, changes } = sent("claude-code", {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { at: { type: "array", items: [{ type: "number" }], additionalItems: false } },
      dependencies: { at: ["by"] },
    });
    expect(schema).toEqual({
      type: "object",
      properties: { at: { type: "array", prefixItems: [{ type: "number" }], items: false } },
      dependentRequired: { at: ["by"] },
    });
    expect(changes).toEqual(["the input, at: written in an older draft of JSON Schema, sent as 2020-12"]);
    expect(field("windsurf", { type: "integer", minimum: 0, exclusiveMinimum: true }).x).toEqual({
      type: "integer",
      exclusiveMinimum: 0,
    });
  });

  it("[M5] become typed alternatives for a client that compares types", () => {
    expect(field("cursor", { type: ["integer", "null"], minimum: 1 })).toEqual({
      x: { anyOf: [{ type: "number", minimum: 1, description: "A whole number." }, { type: "null" }] },
      changes: ["x: the list of types became alternatives", "x: integers among alternatives are sent as numbers"],
    });
    const untyped = field("cursor", { anyOf: [{ type: "string" }, { pattern: "^x" }] });
    expect(untyped.x).toEqual({ description: 'One or more of: {"type":"string"}, {"pattern":"^x"}.' });
  });

  it("[M5] can be the names of fields", () => {
    const properties = JSON.parse(
      '{ "__proto__": { "type": "string", "minLength": 1 }, "constructor": { "const": 1 } }',
    );
    const { schema } = sent("codex", { type: "object", properties, required: ["__proto__"] });
    expect(Object.keys(schema.properties as object)).toEqual(["__proto__", "constructor"]);
    expect(({} as JsonSchema).type).toBeUndefined();
  });
});

describe("a value that is not a schema", () => {
  const endless = (): JsonSchema => {
    const schema: Record<string, unknown> = { type: "object" };
    schema.properties = { self: schema };
    return schema;
  };
  const deep = (): JsonSchema => {
    let schema: JsonSchema = { type: "string" };
    for (let level = 0; level < 50_000; level++) schema = { type: "array", items: schema };
    return { type: "object", properties: { deep: schema } };
  };
  const odd: readonly JsonSchema[] = [
    { type: "object", properties: { a: "string", b: null, c: 5, d: [] } },
    { type: "object", properties: [], required: "a", anyOf: {}, allOf: 5, $ref: 7, $defs: null },
    { type: 5, enum: 5, items: 5, not: 5, oneOf: [null, 5, "x"] },
    { type: "object", $ref: "#" },
    { type: "object", $ref: "#/%zz/~1", properties: { a: { $ref: "#/properties/a" } } },
    endless(),
    deep(),
  ];

  it.each(CLIENT_LIMITS.map(({ id }) => id))("[M5] never makes the list invalid for %s", (id) => {
    const limits = CLIENT_LIMITS.find((each) => each.id === id) ?? NO_LIMITS;
    const tools = odd.map((inputSchema, index) => ({ name: `odd${index}`, description: "Odd.", inputSchema }));
    const good = { name: "good", description: "Good.", inputSchema: { type: "object", properties: {} } };
    const fitted = fitTools([...tools, good], limits);
    expect(fitted.map(({ name }) => name)).toEqual([...tools, good].map(({ name }) => name));
    expect(fitted.at(-1)).toEqual({ tool: good, name: "good", changes: [] });
  });

  it("[M5] is sent as any object, with the original schema in the description", () => {
    const { schema, description, changes } = sent("claude-code", deep());
    expect(schema).toEqual({ type: "object", properties: {} });
    expect(description).toMatch(/^Finds things\.\n\nThe input, as its author describes it: /);
    expect(changes).toEqual([
      "the input: could not be fitted (Maximum call stack size exceeded), so it is sent as any object, with the original schema in the description",
    ]);
  });
});

const PLACES = JSON.stringify({
  name: "places",
  tools: [
    {
      name: "find_place_by_its_postal_address_or_by_geo_coordinates",
      description: "Finds a place by its address or by where it is.",
      inputSchema: {
        type: "object",
        anyOf: [
          { properties: { address: { type: "string", description: "As on a letter" } }, required: ["address"] },
          { properties: { at: { type: "array", description: "Longitude, latitude" } }, required: ["at"] },
        ],
      },
      handler: { type: "shell", command: "true" },
    },
    {
      name: "count_places",
      description: "Counts the places that are known here.",
      inputSchema: { type: "object", properties: {} },
      handler: { type: "shell", command: "true" },
    },
  ],
});

describe("check --client", () => {
  beforeAll(ensureBuilt);

  function places() {
    const at = sandbox();
    put(join(at.project, ".toolwright/tools/places.json"), PLACES);
    return at;
  }

  it("[M5] lists the changes for a client", async () => {
    const { stdout, code } = await cli(places(), [
      "check",
      "--trust",
      "--client",
      "vscode",
      "--client",
      "claude-desktop",
    ]);
    expect(stdout).toContain(`
For VS Code
  find_place_by_its_postal_address_or_by_geo_coordinates
    the name: sent as "find_place_by_its_postal_address_or_by_ge_533d353", since names in VS Code have at most 64 characters, "mcp_toolwright_" included
    the input: 2 alternatives are merged into one object with all fields
    at: an array gets "items"
  1 tool sent as written

For Claude Desktop: no changes

2 tools, 0 problems, 0 warnings.
`);
    expect(code).toBe(0);
  });

  it("[M5] prints JSON, for all clients with --client all", async () => {
    const answer = await cli(places(), ["check", "--trust", "--json", "--client", "all"]);
    const { clients } = json<{ clients: { client: string; tools: { name: string; sentAs: string }[] }[] }>(answer);
    expect(clients.map(({ client }) => client)).toEqual(CLIENT_LIMITS.map(({ id }) => id));
    expect(clients[0]).toEqual({
      client: "claude-code",
      title: "Claude Code",
      tools: [
        { name: "count_places", sentAs: "count_places", changes: [] },
        {
          name: "find_place_by_its_postal_address_or_by_geo_coordinates",
          sentAs: "find_place_by_its_postal_address_or_by_533d353",
          changes: [
            'the name: sent as "find_place_by_its_postal_address_or_by_533d353", since names in Claude Code have at most 64 characters, "mcp__toolwright__" included',
            "the input: 2 alternatives are merged into one object with all fields",
          ],
        },
      ],
    });
  });

  it("[M5] suggests the nearest client, or lists all", async () => {
    const near = await cli(places(), ["check", "--trust", "--client", "claud-code"]);
    expect(near).toMatchObject({
      code: 2,
      stderr: 'toolwright: Unknown client "claud-code". Did you mean "claude-code"?\n',
    });
    const far = await cli(places(), ["check", "--trust", "--client", "x"]);
    expect(far).toMatchObject({
      code: 2,
      stderr: `toolwright: Unknown client "x". Use one of ${CLIENT_LIMITS.map(({ id }) => id).join(", ")}, or all.\n`,
    });
  });
});
