import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBuiltins } from "../../support/builtins.ts";

/** Tools of pi: with the built-in tool, and with operations of the author. */
const EXTENSION = `import { readFile, writeFile } from "node:fs/promises";
import { createEditTool } from "@earendil-works/pi-coding-agent";
const operations = { readFile, writeFile, access: async () => {} };
export default (pi) => {
  pi.registerTool({ ...createEditTool(), name: "change" });
  pi.registerTool({ ...createEditTool(undefined, { operations }), name: "change_over" });
};`;

type Pair = readonly [oldText: string, newText: string];

const SWAP: readonly Pair[] = [
  ["first", "second"],
  ["second", "first"],
];

/** What the file is before, the edits, and what it is afterwards. The same text: it was not changed. */
const CASES: Record<string, readonly [before: string, edits: readonly Pair[], after: string]> = {
  "a swap": ["a first\nb second\n", SWAP, "a second\nb first\n"],
  "a swap, CRLF": ["a first\r\nb second\r\n", SWAP, "a second\r\nb first\r\n"],
  "a swap, old Mac": ["a first\rb second\r", SWAP, "a second\rb first\r"],
  "a swap, no final newline": ["first\r\nsecond", SWAP, "second\r\nfirst"],
  "a swap behind a byte order mark": ["\ufefffirst\r\nsecond\r\n", SWAP, "\ufeffsecond\r\nfirst\r\n"],
  "an edit that holds the byte order mark": [
    "\ufeffone\r\ntwo\r\n",
    [
      ["\ufeffone", "1"],
      ["two", "2"],
    ],
    "\ufeff1\r\n2\r\n",
  ],
  "edits with CRLF in a file with line feeds": [
    "a\nb\nc\n",
    [
      ["a\r\nb", "x\r\ny"],
      ["c", "z"],
    ],
    "x\ny\nz\n",
  ],
  "edits with line feeds in a file with CRLF": [
    "a\r\nb\r\nc\r\n",
    [
      ["a\nb", "x\ny"],
      ["c", "z\nz"],
    ],
    "x\r\ny\r\nz\r\nz\r\n",
  ],
  "a new text that contains a later old text": [
    "one\r\ntwo\r\n",
    [
      ["one", "two"],
      ["two", "three"],
    ],
    "two\r\nthree\r\n",
  ],
  "a new text that contains its own old text": [
    "one\r\ntwo\r\n",
    [
      ["one", "one one"],
      ["two", "2"],
    ],
    "one one\r\n2\r\n",
  ],
  "edits in another order than in the file": [
    "1\r\n2\r\n3\r\n",
    [
      ["3", "c"],
      ["1", "a"],
    ],
    "a\r\n2\r\nc\r\n",
  ],
  "edits that touch": [
    "abcd\r\n",
    [
      ["ab", "1"],
      ["cd", "2"],
    ],
    "12\r\n",
  ],
  "edits that overlap": [
    "abcd\r\n",
    [
      ["abc", "1"],
      ["cd", "2"],
    ],
    "abcd\r\n",
  ],
  "an edit within another": [
    "abcd\r\n",
    [
      ["abcd", "1"],
      ["bc", "2"],
    ],
    "abcd\r\n",
  ],
  "an old text that is missing": [
    "one\r\ntwo\r\n",
    [
      ["one", "1"],
      ["six", "6"],
    ],
    "one\r\ntwo\r\n",
  ],
  "an old text that occurs twice": [
    "one\r\ntwo two\r\n",
    [
      ["one", "1"],
      ["two", "2"],
    ],
    "one\r\ntwo two\r\n",
  ],
  "an old text that occurs twice, the second time after an edit": [
    "one\r\ntwo\r\n",
    [
      ["one", "two"],
      ["two", "one"],
    ],
    "two\r\none\r\n",
  ],
  "an empty old text": [
    "one\r\n",
    [
      ["one", "1"],
      ["", "x"],
    ],
    "one\r\n",
  ],
};

async function opened(content: string | Buffer) {
  const { at, call } = await openBuiltins({ ".pi/extensions/change.ts": EXTENSION }, { callerIsAsked: true });
  const file = join(at.project, "a.txt");
  writeFileSync(file, content);
  return async (name: string, pairs: readonly Pair[]) => {
    const edits = pairs.map(([oldText, newText]) => ({ oldText, newText }));
    const result = await call(name, { path: "a.txt", edits });
    return { ok: result.ok, said: result.ok ? "" : result.error.message, bytes: readFileSync(file) };
  };
}

describe.each(["change", "change_over"])("[A8] several edits of pi are made together or not at all: %s", (name) => {
  it.each(Object.entries(CASES))("%s", async (_, [before, pairs, after]) => {
    const change = await opened(before);
    const { ok, bytes } = await change(name, pairs);
    expect([ok, bytes.toString()]).toEqual([before !== after, after]);
  });

  it("edits of lines with different endings keep the endings outside of them", async () => {
    const change = await opened("zero\n1\r\n2\r\n3\r\nlast\n");
    const { bytes } = await change(name, [
      ["1", "a\nb"],
      ["3", "c"],
    ]);
    expect(bytes.toString()).toBe("zero\na\r\nb\r\n2\r\nc\r\nlast\n");
  });

  it("edits of a file that is not UTF-8 lose no character", async () => {
    const before = Buffer.from("caf\xe9 first\r\nsecond\r\n", "latin1");
    const change = await opened(before);
    const { ok, bytes } = await change(name, SWAP);
    const after = name === "change" ? Buffer.from("caf\xe9 second\r\nfirst\r\n", "latin1") : before;
    expect([ok, bytes.equals(after)]).toEqual([name === "change", true]);
  });

  it("says that edits overlap", async () => {
    const change = await opened("abcd\r\n");
    const { said } = await change(name, [
      ["abc", "1"],
      ["cd", "2"],
    ]);
    expect(said).toContain("Two of the edits overlap in a.txt. Merge them into one edit or target disjoint regions.");
  });
});
