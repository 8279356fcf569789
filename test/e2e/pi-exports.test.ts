import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as atomic from "../../src/authoring/pi/atomic.ts";
import * as all from "../../src/authoring/pi/index.ts";
import { unavailable } from "../../src/authoring/pi/stand-in.ts";
import { unavailableNames } from "../../src/authoring/pi/unavailable-exports.ts";
import { exportsOf } from "../support/exports-of.ts";
import { installed, MODULES } from "../support/installed.ts";

/** The entry files of the packages that tool files import. */
const PACKAGES = {
  pi: [
    "@earendil-works/pi-coding-agent/dist/index.js",
    "@earendil-works/pi-ai/dist/index.js",
    "@earendil-works/pi-ai/dist/compat.js",
    "@earendil-works/pi-agent-core/dist/index.js",
    "@earendil-works/pi-tui/dist/index.js",
  ],
  "pi-versions": [
    "pi-1/dist/index.js",
    "@earendil-works/pi-ai/dist/index.js",
    "@earendil-works/pi-agent-core/dist/index.js",
    "@mariozechner/pi-coding-agent/dist/index.js",
    "@mariozechner/pi-ai/dist/index.js",
    "@mariozechner/pi-agent-core/dist/index.js",
    "@mariozechner/pi-tui/dist/index.js",
  ],
  "oh-my-pi": ["pi-coding-agent", "pi-ai", "pi-agent-core", "pi-tui", "pi-utils"].map(
    (name) => `@oh-my-pi/${name}/src/index.ts`,
  ),
} as const;

const KINDS = ["pi", "pi-versions", "oh-my-pi"] as const;
const missing = Object.fromEntries(
  await Promise.all(KINDS.map(async (kind) => [kind, await installed(kind)] as const)),
);
const listed = new Set(unavailableNames());
const known = (name: string): boolean => name in all || listed.has(name);

describe.each(KINDS)("[A9] every export of the packages of %s", (kind) => {
  for (const file of PACKAGES[kind]) {
    it.skipIf(missing[kind])(`${file} is real, without effect, or fails with words`, () => {
      const names = exportsOf(join(MODULES[kind], file));
      expect(names.length).toBeGreaterThan(5);
      // Add a missing name to `unavailable-exports.ts`, or implement it.
      expect(names.filter((name) => !known(name))).toEqual([]);
    });
  }
});

describe("[A9] exports of the packages of pi", () => {
  it.skipIf(missing.pi)("are read from the source as a program gets them", async () => {
    const file = join(MODULES.pi, PACKAGES.pi[0]);
    expect(exportsOf(file).sort()).toEqual(Object.keys(await import(file)).sort());
  });

  it.skipIf(Object.values(missing).some(Boolean))(
    "are not listed as unavailable after their packages dropped them",
    () => {
      const real = new Set(
        KINDS.flatMap((kind) => PACKAGES[kind].flatMap((file) => exportsOf(join(MODULES[kind], file)))),
      );
      expect([...listed].filter((name) => !real.has(name))).toEqual([]);
    },
  );

  it("that are listed as unavailable say so when they are used, with what to do", () => {
    const exported = new Map<string, unknown>(Object.entries({ ...all, ...atomic }));
    const wrong = [...listed].filter((name) => {
      try {
        (exported.get(name) as (() => void) | undefined)?.();
        if (!exported.has(name)) unavailable(name)();
        return true;
      } catch (error) {
        return !String(error).startsWith(`Error: ${name} needs the agent that this file was written for. `);
      }
    });
    expect(wrong).toEqual([]);
  });
});
