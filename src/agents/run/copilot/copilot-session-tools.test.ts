import { describe, expect, it } from "vitest";
import type { AgentContext, AgentTool, SessionTools } from "../../../core/coding-agent.ts";
import type { JsonSchema } from "../../../core/schema.ts";
import { CopilotRequests } from "./copilot-requests.ts";
import { toSdkTools } from "./copilot-session-tools.ts";

const toolsOf = (schemas: Readonly<Record<string, JsonSchema>>): SessionTools => ({
  list: () =>
    Object.entries(schemas).map(([name, inputSchema]): AgentTool => {
      return { name, description: "A tool.", inputSchema, hints: {} };
    }),
  call: () => {
    throw new Error("No tool is called here.");
  },
  onChange: () => () => {},
});
const CONTEXT = { toolwrightHome: "/home/.toolwright" } as AgentContext;
const OWNER = { sessionID: "s", requests: new CopilotRequests(), begin: () => undefined };

describe("[G2] the tools of a session for Copilot", () => {
  const A = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

  it.each<[string, JsonSchema]>([
    ["an empty schema", {}],
    ["no properties", { type: "object" }],
    ["no type", { properties: A.properties }],
    ["alternatives", { oneOf: [A, { type: "object", properties: { b: { type: "number" } } }] }],
    ["a reference", { $ref: "#/$defs/a", $defs: { a: A } }],
    ["an object or null", { ...A, type: ["object", "null"] }],
  ])("have a plain object as their schema, since its runtime drops others: %s", (_, schema) => {
    const [tool] = toSdkTools(toolsOf({ tool: schema }), OWNER, CONTEXT);
    const { type, oneOf, $ref } = tool?.parameters ?? {};
    expect({ type, oneOf, $ref }).toEqual({ type: "object" });
    if (JSON.stringify(schema).includes('"a"')) {
      expect(tool?.parameters.properties).toMatchObject({ a: { type: "string" } });
    }
  });

  it("replace its own tools, are always shown, and ask through us only", () => {
    const [tool] = toSdkTools(toolsOf({ bash: A }), OWNER, CONTEXT);
    expect(tool).toMatchObject({ name: "bash", overridesBuiltInTool: true, defer: "never", skipPermission: true });
  });

  it("have names of at most 64 plain characters, and no half of a character", () => {
    const schema = { type: "object", properties: { a: { type: "string", description: "Half \uD83D" } } };
    const [tool] = toSdkTools(toolsOf({ [`käse.${"x".repeat(80)}`]: schema }), OWNER, CONTEXT);
    expect(tool?.name).toMatch(/^[\w-]{1,64}$/);
    expect(tool?.parameters).toEqual({
      type: "object",
      properties: { a: { type: "string", description: "Half \uFFFD" } },
    });
  });
});
