import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../../test/support/temporary.ts";
import { startsToolwrightServer } from "./toolwright-command.ts";

const NOWHERE = { folder: "/nowhere", home: "/nowhere" };

describe("[M3] [D8] startsToolwrightServer", () => {
  it.each<string[][]>([
    [["toolwright", "mcp"]],
    [["toolwright.cmd", "mcp"]],
    [["/usr/local/bin/toolwright", "mcp", "--builtins"]],
    [["C:\\Users\\me\\AppData\\Roaming\\npm\\toolwright.CMD", "mcp"]],
    [["./node_modules/.bin/toolwright", "mcp"]],
    [["npx", "toolwright", "mcp"]],
    [["npx", "-y", "toolwright@1.2.3-beta.1", "mcp", "--name", "mine"]],
    [["pnpm", "dlx", "toolwright@latest", "mcp"]],
    [["cmd", "/c", "npx", "-y", "toolwright", "mcp"]],
    [["sh", "-c", "exec toolwright mcp --read-only"]],
    [["bash", "-lc", "npx -y toolwright mcp"]],
    [["node", "/lib/node_modules/toolwright/dist/cli.mjs", "mcp"]],
    [["node", "--no-warnings", "C:\\npm\\node_modules\\toolwright\\dist\\cli.mjs", "mcp"]],
    [["node", "/x/.pnpm/toolwright@0.1.0/node_modules/toolwright/dist/cli.mjs", "mcp"]],
    [["node", "/home/me/toolwright/src/surfaces/cli/main.ts", "mcp"]],
  ])("%j starts Toolwright", (words) => {
    expect(startsToolwrightServer(words, NOWHERE)).toBe(true);
  });

  it.each<string[][]>([
    [[]],
    [["toolwright", "serve"]],
    [["toolwright-not", "mcp"]],
    [["my-toolwright", "mcp"]],
    [["npx", "@me/toolwright", "mcp"]],
    [["npx", "@me/toolwright@1", "mcp"]],
    [["node", "/x/node_modules/@me/toolwright/dist/cli.mjs", "mcp"]],
    [["node", "/x/my-toolwright/dist/cli.mjs", "mcp"]],
    [["node", "/home/me/toolwright/weather/cli.js", "mcp"]],
    [["node", "/home/me/toolwright/dist/server.mjs", "mcp"]],
    [["/home/me/toolwright/bin/weather", "mcp"]],
    [["weather", "--about", "what toolwright mcp does"]],
  ])("%j starts another program", (words) => {
    expect(startsToolwrightServer(words, NOWHERE)).toBe(false);
  });

  it("a program is recognized by its package, not by folder names", () => {
    const root = temporary();
    const base = { folder: root, home: root };
    put(join(root, "checkout/package.json"), '{ "name": "toolwright" }');
    put(join(root, "checkout/dist/cli.mjs"));
    put(join(root, "checkout/dist/other.mjs"));
    put(join(root, "toolwright/package.json"), '{ "name": "weather" }');
    put(join(root, "toolwright/dist/cli.mjs"));
    symlinkSync(join(root, "checkout/dist/cli.mjs"), join(root, "tw"));
    symlinkSync(join(root, "toolwright/dist/cli.mjs"), join(root, "toolwright.exe"));
    const isOurs = (file: string): boolean => startsToolwrightServer(["node", file, "mcp"], base);
    expect(isOurs(join(root, "checkout/dist/cli.mjs"))).toBe(true);
    expect(isOurs("checkout/dist/cli.mjs")).toBe(true);
    expect(isOurs("~/checkout/dist/cli.mjs")).toBe(true);
    expect(isOurs("./tw")).toBe(true);
    expect(isOurs(join(root, "checkout/dist/other.mjs"))).toBe(false);
    expect(isOurs(join(root, "toolwright/dist/cli.mjs"))).toBe(false);
    expect(isOurs("./toolwright.exe")).toBe(false);
  });
});
