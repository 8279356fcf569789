import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { REQUIREMENTS } from "./requirements.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const cited = new Set(
  globSync("{src,test}/**/*.test.ts", { cwd: ROOT })
    .flatMap((file) => [...readFileSync(`${ROOT}${file}`, "utf8").matchAll(/\[([A-Z]\d+)\]/g)])
    .map(([, id]) => id),
);

describe("the requirements", () => {
  it.each(Object.entries(REQUIREMENTS))("%s is proved by a test: %s", (id) => {
    expect(cited).toContain(id);
  });

  it("are all that tests cite", () => {
    expect([...cited].filter((id) => !(String(id) in REQUIREMENTS))).toEqual([]);
  });
});
