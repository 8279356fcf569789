import { describe, expect, it } from "vitest";
import type { ApiCatalogTool } from "../../../src/surfaces/http/client/index.ts";
import { toolRows } from "./tool-rows.ts";

const tool = (name: string, more: Partial<ApiCatalogTool> = {}): ApiCatalogTool => ({
  name,
  description: "",
  source: "custom",
  place: "project",
  format: "tool",
  file: `/p/.toolwright/tools/${name}.ts`,
  enabled: true,
  hints: {},
  inputSchema: {},
  ...more,
});

const TOOLS = [
  tool("read", { source: "builtin", file: "", description: "Reads a file." }),
  tool("word-count_longest", { description: "Finds the longest word." }),
  tool("word-count", { description: "Counts the words of a file." }),
  tool("deploy", { place: "global", file: "/home/me/.toolwright/tools/ship.ts" }),
  tool("github_issues", { source: "mcp", pluginName: "github" }),
];

const shown = (query: string): string[] =>
  toolRows(TOOLS, query).map((row) => (row.kind === "group" ? `# ${row.name} ${row.count}` : row.tool.name));

describe("the list of tools", () => {
  it("is grouped by source", () => {
    expect(shown(" ")).toEqual([
      "# Project 2",
      "word-count",
      "word-count_longest",
      "# User 1",
      "deploy",
      "# MCP: github 1",
      "github_issues",
      "# Built-in 1",
      "read",
    ]);
  });

  it.each([
    ["word-count", ["word-count", "word-count_longest"]],
    ["WORD", ["word-count", "word-count_longest"]],
    ["wcl", ["word-count_longest"]],
    ["ship", ["deploy"]],
    ["github", ["github_issues"]],
    ["built", ["read"]],
    ["longest word", ["word-count_longest"]],
    ["count file", ["word-count"]],
    ["nothing like it", []],
    ["(", []],
    ["__proto__", []],
  ])("is searched for %j", (query, names) => expect(shown(query)).toEqual(names));

  it("searches 5,000 tools with long descriptions", () => {
    const many = Array.from({ length: 5000 }, (_, index) => tool(`tool-${index}`, { description: "a ".repeat(2000) }));
    expect(toolRows(many, "tool-4999")[0]).toMatchObject({ tool: { name: "tool-4999" } });
  });
});
