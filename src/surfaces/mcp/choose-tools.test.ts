import { describe, expect, it } from "vitest";
import type { ToolInfo } from "../../catalog/registry/registry-entry.ts";
import { chooseTools, type ToolChoice } from "./choose-tools.ts";

const TOOLS = [
  { name: "lint", source: "custom", hints: { readOnly: true } },
  { name: "deploy_web", source: "custom", hints: {} },
  { name: "deploy_api", source: "plugin", hints: { readOnly: false } },
  { name: "read", source: "builtin", hints: { readOnly: true } },
  { name: "bash", source: "builtin", hints: {} },
] as unknown as readonly ToolInfo[];

describe("chooseTools", () => {
  it.each<[ToolChoice, string[]]>([
    [{}, ["lint", "deploy_web", "deploy_api"]],
    [{ builtins: true }, ["lint", "deploy_web", "deploy_api", "read", "bash"]],
    [{ builtins: ["r*"] }, ["lint", "deploy_web", "deploy_api", "read"]],
    [{ tools: ["deploy_*"] }, ["deploy_web", "deploy_api"]],
    [{ tools: ["read"] }, []],
    [{ tools: ["deploy_*"], exclude: ["*_api"] }, ["deploy_web"]],
    [{ builtins: true, readOnly: true }, ["lint", "read"]],
  ])("[B14] %j serves %j", (choice, names) => {
    expect(TOOLS.filter(chooseTools(choice)).map(({ name }) => name)).toEqual(names);
  });
});
