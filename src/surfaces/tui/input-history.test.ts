import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporary } from "../../../test/support/temporary.ts";
import { InputHistory } from "./input-history.ts";

function place(): { file: string; of: (root: string) => InputHistory } {
  const home = temporary();
  const toolwrightHome = join(home, ".toolwright");
  const homes = { home, toolwrightHome, cache: join(home, "cache") };
  return { file: join(toolwrightHome, "chat-history.jsonl"), of: (root) => new InputHistory({ root, homes }) };
}

describe("the input history of the chat", () => {
  it("[U2] keeps what was typed for later runs, with several lines, in a file that only the user can read", async () => {
    const { file, of } = place();
    const history = of("/a");
    await history.add("first");
    await history.add("two\nlines");
    await history.add("first");
    expect(await of("/a").read()).toEqual(["two\nlines", "first"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("[U2] returns the texts of the project last, since the last ones come first in the input", async () => {
    const { of } = place();
    await of("/a").add("own 1");
    await of("/a").add("own 2");
    await of("/b").add("other");
    expect(await of("/a").read()).toEqual(["other", "own 1", "own 2"]);
    expect(await of("/a").read(2)).toEqual(["own 1", "own 2"]);
  });

  it("[U2] does not keep text that begins with a space, empty text and pasted files", async () => {
    const { of } = place();
    const history = of("/a");
    for (const text of [" secret", "", "\n", "x".repeat(60_000), "kept"]) await history.add(text);
    expect(await history.read()).toEqual(["kept"]);
  });

  it("[U2] loses no entry of two terminals that add at the same time", async () => {
    const { of } = place();
    const [first, second] = [of("/a"), of("/a")];
    const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
    await Promise.all(texts.map((text, index) => (index % 2 === 0 ? first : second).add(text)));
    expect((await of("/a").read()).toSorted()).toEqual(texts.toSorted());
  });

  it("[U2] becomes shorter when it is larger than 1 MB, and keeps the latest texts", async () => {
    const { file, of } = place();
    const history = of("/a");
    for (let index = 0; index < 30; index += 1) await history.add(`${index} ${"x".repeat(40_000)}`);
    expect(statSync(file).size).toBeLessThan(1_000_000);
    expect((await history.read()).at(-1)?.slice(0, 2)).toBe("29");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("[U2] skips lines that are damaged, also one that was written in part", async () => {
    const { file, of } = place();
    await of("/a").add("before");
    appendFileSync(file, '\u0000\u0001 no JSON\n[1]\n{"text":1}\n{"project":"/a","text":"cut of');
    await of("/a").add("after");
    expect(await of("/a").read()).toEqual(["before", "after"]);
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(7);
  });

  it("[U2] is empty, and does not fail, if the file cannot be used", async () => {
    const { file, of } = place();
    mkdirSync(file, { recursive: true });
    await of("/a").add("text");
    expect(await of("/a").read()).toEqual([]);
    const blocked = temporary();
    writeFileSync(join(blocked, "home"), "");
    const toolwrightHome = join(blocked, "home");
    const history = new InputHistory({ root: "/a", homes: { home: blocked, toolwrightHome, cache: blocked } });
    await history.add("text");
    expect(await history.read()).toEqual([]);
  });
});
