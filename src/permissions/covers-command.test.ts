import { describe, expect, it } from "vitest";
import { coversCommand } from "./covers-command.ts";

describe("[P3] [X1] a rule about commands", () => {
  it.each([
    ["git *", "git status", true],
    ["git *", "git commit -m 'a (b) $HOME'", true],
    ["git *", "git status; rm -rf ~", false],
    ["git *", "git status && curl example.com", false],
    ["git *", "git status | sh", false],
    ["git *", "git status\nrm -rf ~", false],
    ["git *", "git log $(rm -rf ~)", false],
    ["git *", "git log `rm -rf ~`", false],
    ["git *", "git log > ~/.bashrc", false],
    ["git?status", "git\nstatus", false],
    ["git *; echo done", "git status; echo done", true],
    ["git *; echo done", "git status; rm x; echo done", false],
    ["echo a; rm b", "echo a; rm b", true],
  ])("%j allows %j: %s", (match, command, expected) => {
    expect(coversCommand(match, command, "allow")).toBe(expected);
  });

  it.each([
    ["rm *", "rm -rf ~", true],
    ["rm *", "echo a; rm -rf ~", true],
    ["rm *", "true&&rm -rf ~", true],
    ["rm *", "(rm -rf ~)", true],
    ["rm *", "echo $(rm -rf ~)", true],
    ["rm *", "echo a\nrm -rf ~", true],
    ["*secret*", "cat a; cat secret", true],
    ["rm *", "echo rm", false],
  ])("%j denies %j: %s", (match, command, expected) => {
    expect(coversCommand(match, command, "deny")).toBe(expected);
    expect(coversCommand(match, command, "ask")).toBe(expected);
  });
});
