import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULTS, expandHome, homes } from "./defaults.ts";

const linux = { platform: "linux", cwd: "/work" } as const;

describe("homes", () => {
  it("[K2] TOOLWRIGHT_HOME moves ~/.toolwright, and the cache with it", () => {
    expect(homes({ HOME: "/h", TOOLWRIGHT_HOME: "/moved" }, "/os", linux)).toEqual({
      home: "/h",
      toolwrightHome: "/moved",
      cache: join("/moved", "cache"),
    });
  });

  it("[K2] resolves a relative TOOLWRIGHT_HOME against the working directory, and ~ against the home folder", () => {
    expect(homes({ HOME: "/h", TOOLWRIGHT_HOME: "state" }, "/os", linux).toolwrightHome).toBe("/work/state");
    expect(homes({ HOME: "/h", TOOLWRIGHT_HOME: "~/state" }, "/os", linux).toolwrightHome).toBe("/h/state");
  });

  it("[K2] is ~/.toolwright and the platform's cache folder otherwise", () => {
    expect(homes({}, "/os", linux)).toEqual({
      home: "/os",
      toolwrightHome: "/os/.toolwright",
      cache: "/os/.cache/toolwright",
    });
    expect(homes({ HOME: "/h" }, "/os", { platform: "darwin" }).cache).toBe("/h/Library/Caches/toolwright");
    expect(homes({ USERPROFILE: "/u", LOCALAPPDATA: "/l" }, "/os", { platform: "win32" })).toEqual({
      home: "/u",
      toolwrightHome: "/u/.toolwright",
      cache: "/l/toolwright/cache",
    });
  });

  it("[K2] the cache folder can be set", () => {
    const moved = { HOME: "/h", TOOLWRIGHT_HOME: "/moved", XDG_CACHE_HOME: "/xdg" };
    expect(homes(moved, "/os", linux).cache).toBe("/xdg/toolwright");
    expect(homes({ ...moved, XDG_CACHE_HOME: "relative" }, "/os", linux).cache).toBe("/moved/cache");
    expect(homes({ ...moved, TOOLWRIGHT_CACHE: "/c" }, "/os", linux).cache).toBe("/c");
  });
});

describe("expandHome", () => {
  it("[D1] replaces ~ at the beginning only", () => {
    expect(["~", "~/a", "~other/a", "a/~"].map((path) => expandHome(path, "/h"))).toEqual([
      "/h",
      join("/h", "a"),
      "~other/a",
      "a/~",
    ]);
  });
});

describe("defaults", () => {
  it("[K1] are the documented ones", () => {
    expect(DEFAULTS).toEqual({
      limits: { timeoutMs: 120_000, importMs: 10_000, maxLines: 2000, maxBytes: 50_000, memoryMb: 512 },
      agents: { idleMs: 300_000, maxTaskTokens: 5_000_000, maxTurns: 32 },
      outputs: { keepDays: 7, maxMb: 1024 },
      sessions: { keepDays: 90, maxMb: 1024 },
      runtime: "node",
      isolation: "shared",
      mode: "default",
    });
  });
});
