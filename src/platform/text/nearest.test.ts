import { describe, expect, it } from "vitest";
import { misspelled, nearest } from "./nearest.ts";

describe("nearest", () => {
  it("[P2] finds typos: a missing, wrong, additional or swapped letter", () => {
    const tools = ["lint", "deploy", "query", "webfetch"];
    expect(nearest("lnit", tools)).toEqual(["lint"]);
    expect(nearest("deplyo", tools)).toEqual(["deploy"]);
    expect(nearest("querry", tools)).toEqual(["query"]);
    expect(nearest("webfecth", tools)).toEqual(["webfetch"]);
  });

  it("[P2] ignores case, dashes and underscores", () => {
    expect(nearest("WebFetch", ["web_fetch", "bash"])).toEqual(["web_fetch"]);
  });

  it("[P2] finds part of a longer name, prefixes first", () => {
    expect(nearest("timeout", ["defaulttimeout", "timeoutMs", "maxLines"])).toEqual(["timeoutMs", "defaulttimeout"]);
  });

  it("[P2] returns at most three, the best first", () => {
    expect(nearest("list", ["listed", "lists", "list_all", "list-users", "lint"])).toEqual([
      "lists",
      "listed",
      "list_all",
    ]);
  });

  it("[P2] returns nothing if nothing is similar", () => {
    expect(nearest("zebra", ["lint", "deploy"])).toEqual([]);
    expect(nearest("", ["lint"])).toEqual([]);
    expect(nearest("a", ["lint", "bash"])).toEqual([]);
  });

  it("[X1] ends in reasonable time for a huge input", () => {
    expect(nearest("x".repeat(1_000_000), ["lint", "deploy"])).toEqual([]);
  });
});

describe("misspelled", () => {
  const packages = ["toolwright", "zod", "typebox", "@opencode-ai/plugin", "path", "fs/promises", "node:fs"];

  it.each([
    ["toolwrigth", ["toolwright"]],
    ["tolwrigt", ["toolwright"]],
    ["zodd", ["zod"]],
    ["zdo", ["zod"]],
    ["typebx", ["typebox"]],
    ["@opencode-ai/plugins", ["@opencode-ai/plugin"]],
    ["@opencodeai/plugin", ["@opencode-ai/plugin"]],
    ["fs/promise", ["fs/promises"]],
    ["node:fss", ["node:fs"]],
  ])("[D5] %s", (word, expected) => {
    expect(misspelled(word, packages)).toEqual(expected);
  });

  it.each(["zod-to-json-schema", "zod4", "path-to-regexp", "fs-extra", "box", "left-pad", "x", ""])(
    "[D5] not %j",
    (word) => {
      expect(misspelled(word, packages)).toEqual([]);
    },
  );
});
