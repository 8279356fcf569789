import Ajv2020 from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { settingsSchema } from "./settings-schema.ts";

describe("settings schema", () => {
  it("[K1] has every key", () => {
    expect(Object.keys(settingsSchema.properties ?? {})).toEqual([
      "$schema",
      "tools",
      "limits",
      "toolLimits",
      "runtime",
      "isolation",
      "mode",
      "permissions",
      "hooks",
      "mcp",
      "clients",
      "agents",
      "subagents",
      "secrets",
      "search",
      "trust",
      "outputs",
      "sessions",
    ]);
  });

  it("[K1] is a valid JSON Schema that accepts the same settings as the checker", () => {
    const validate = new Ajv2020.default({ strict: true, allowUnionTypes: true }).compile(settingsSchema);
    expect(validate({ mcp: { import: ["github"] }, permissions: [{ tool: "bash", action: "deny" }] })).toBe(true);
    expect(validate({ permissions: [{ tool: "bash" }] })).toBe(false);
    expect(validate({ tool: {} })).toBe(false);
  });

  it("[K1] settings.schema.json is this schema (`vitest run src/settings -u` writes it)", async () => {
    await expect(asFile(settingsSchema)).toMatchFileSnapshot("../../settings.schema.json");
  });
});

/** The formatter's layout: lists of strings on one line. */
function asFile(schema: unknown): string {
  const json = JSON.stringify(schema, null, 2);
  return `${json.replace(/\[\s+("[^[\]{}]*")\s+\]/g, (_, words: string) => `[${words.replace(/,\s+/g, ", ")}]`)}\n`;
}
