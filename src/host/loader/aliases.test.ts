import { basename, dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { aliasOf } from "./aliases.ts";

function meaning(specifier: string): string | undefined {
  const alias = aliasOf(specifier);
  if (alias === undefined) return undefined;
  if ("bundled" in alias) return alias.bundled;
  const name = basename(alias.file);
  const folder = basename(dirname(alias.file));
  return `our ${["opencode", "openclaw"].includes(folder) ? `${folder}/` : ""}${name}`;
}

describe("[A9] imports of packages that are not installed", () => {
  it.each([
    ["@earendil-works/pi-tui", "our index.ts"],
    ["@mariozechner/pi-tui", "our index.ts"],
    ["@oh-my-pi/pi-tui/theme", "our index.ts"],
    ["@oh-my-pi/pi-coding-agent", "our index.ts"],
    ["@earendil-works/pi-coding-agent", "our values.ts"],
    ["@mariozechner/pi-coding-agent", "our values.ts"],
    ["@mariozechner/pi-ai", "our values.ts"],
    ["@earendil-works/pi-ai/compat", "our values.ts"],
    ["@earendil-works/pi-agent-core", "our values.ts"],
    ["@oh-my-pi/pi-utils", "our values.ts"],
    ["@oh-my-pi/omptype/zod", "zod"],
    ["@oh-my-pi/omptype/typebox", "@sinclair/typebox"],
    ["typebox/value", "typebox/value"],
    ["@bastani/atomic", "our atomic.ts"],
    ["@bastani/atomic/workflows", "our atomic.ts"],
    ["openclaw/plugin-sdk/zod", "zod"],
    ...[
      "openclaw",
      "openclaw/plugin-sdk",
      "openclaw/plugin-sdk/core",
      "openclaw/plugin-sdk/plugin-entry",
      "openclaw/plugin-sdk/config/types.js",
      "moltbot/plugin-sdk",
      "clawdbot/plugin-sdk",
    ].map((name) => [name, "our openclaw/index.ts"]),
    ["toolwright", "our index.ts"],
    ...[
      "@opencode-ai/plugin",
      "@opencode-ai/plugin/tool",
      "@opencode-ai/plugin/v2",
      "@opencode-ai/plugin/v2/promise",
      "@opencode-ai/plugin/v2/promise/plugin",
      "@opencode/plugin",
      "@opencode/plugin/promise",
      "@opencode/plugin/promise/tool",
      "@opencode/plugin/effect",
    ].map((name) => [name, "our opencode/index.ts"]),
  ])("%s is %s", (specifier, expected) => {
    expect(meaning(specifier)).toBe(expected);
  });

  it.each([
    "@opencode-ai/plugin/tui",
    "@opencode-ai/sdk",
    "@opencode/cli",
    "@mariozechner/jiti",
    "@earendil-works/gondolin",
    "@mariozechner/pi",
    "@someone/pi-tui",
    "openclaw-notes",
    "openclaw/dist/index.js",
    "@openclaw/plugin-sdk",
    "pi-tui",
    "@bastani/atomic-sdk",
  ])("%s is resolved like any other package", (specifier) => {
    expect(meaning(specifier)).toBeUndefined();
  });
});
