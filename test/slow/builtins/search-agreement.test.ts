import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createToolbox, outputOf } from "../../../src/index.ts";
import { openBuiltins } from "../../support/builtins.ts";
import type { Sandbox } from "../../support/fixture.ts";
import { ROUNDS } from "../../support/rounds.ts";

type Ask = (name: string, input: unknown) => Promise<string>;

/** A project whose questions are answered by ripgrep and without it; the answers must be the same, and are given back. */
async function bothEngines(files: Record<string, string | Buffer> = {}): Promise<{ at: Sandbox; ask: Ask }> {
  const { at, say } = await openBuiltins();
  const env = { ...at.env, TOOLWRIGHT_RIPGREP: "none" };
  const alone = await createToolbox({ cwd: at.project, env, trust: true });
  onTestFinished(() => alone.close());
  put(at.project, files);
  const ask: Ask = async (name, input) => {
    const [one, other] = await Promise.all([say(name, input), alone.call({ name, input }).result.then(outputOf)]);
    expect(other, JSON.stringify(input)).toBe(one);
    return one;
  };
  return { at, ask };
}

function put(folder: string, files: Record<string, string | Buffer>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    // All of one moment: the order is then the order of paths.
    utimesSync(join(folder, path), 1_700_000_000, 1_700_000_000);
  }
}

/** The files that an answer of glob names. */
function paths(answer: string): string[] {
  return answer.split("\n").slice(2);
}

const X = "x\n";

describe("[B6] [B7] ripgrep and the fallback ignore the same", () => {
  it.each<[string, Record<string, string>, string[]]>([
    ["negation", { ".gitignore": "*.log\n!keep.log\n", "a.log": X, "keep.log": X }, [".gitignore", "keep.log"]],
    [
      "nothing of an ignored folder comes back",
      { ".gitignore": "out/\n!out/a\n", "out/a": X, b: X },
      [".gitignore", "b"],
    ],
    ["anchored", { ".gitignore": "/a\nd/e\n", a: X, "b/a": X, "d/e": X, "b/d/e": X }, [".gitignore", "b/a", "b/d/e"]],
    [
      "two stars",
      { ".gitignore": "**/x\na/**/z\ny/**\n", "q/x": X, "a/z": X, "a/b/c/z": X, "y/k": X, o: X },
      [".gitignore", "o"],
    ],
    ["a slash at the end", { ".gitignore": "a/\n", a: X, "b/a/c": X }, [".gitignore", "a"]],
    ["spaces at the end", { ".gitignore": "a \nb\\ \n", a: X, "b ": X, b: X }, [".gitignore", "b"]],
    [
      "a # and a ! that stand for themselves",
      { ".gitignore": "\\#a\n\\!b\n#c\n", "#a": X, "!b": X, "#c": X },
      ["#c", ".gitignore"],
    ],
    [
      "a nested file over the one above",
      { ".gitignore": "*.tmp\n", "a.tmp": X, "s/.gitignore": "!*.tmp\n", "s/a.tmp": X },
      [".gitignore", "s/.gitignore", "s/a.tmp"],
    ],
    [
      ".ignore over .gitignore",
      { ".gitignore": "build/\n", ".ignore": "!build/\nc\n", "build/a": X, "build/s/b": X, c: X },
      [".gitignore", ".ignore", "build/a", "build/s/b"],
    ],
    [".rgignore over .ignore", { ".ignore": "a\n", ".rgignore": "!a\n", a: X }, [".ignore", ".rgignore", "a"]],
    [
      "line ends of Windows, and a mark",
      { ".gitignore": "\uFEFFa\r\nb/\r\n", a: X, "b/c": X, d: X },
      [".gitignore", "d"],
    ],
    [
      "hidden files are like any other",
      { ".env": X, ".github/w.yml": X, ".gitignore": ".env\n" },
      [".github/w.yml", ".gitignore"],
    ],
    ["upper and lower case", { ".gitignore": "A\n", a: X, "b/A": X }, [".gitignore", "a"]],
    [
      "sets, braces and bytes",
      { ".gitignore": "[ab]\n*.{x,y}\n?\n", a: X, "b/c": X, "f.x": X, "f.z": X, é: X },
      [".gitignore", "f.z", "é"],
    ],
    [
      "names of every kind",
      { "a b": X, "ü/ñ": X, "tab\there": X, "line\nbreak": X, "-dash": X, "😀": X },
      ["-dash", "a b", '"line\\nbreak"', '"tab\\there"', "ü/ñ", "😀"],
    ],
    ["a deep folder", { [`${"d/".repeat(120)}f`]: X }, [`${"d/".repeat(120)}f`]],
  ])("%s", async (_, files, expected) => {
    const { at, ask } = await bothEngines(files);
    rmSync(join(at.project, ".toolwright"), { recursive: true });
    expect(paths(await ask("glob", { pattern: "**/*" }))).toEqual(expected);
    rmSync(join(at.project, ".git"), { recursive: true });
    expect(paths(await ask("glob", { pattern: "**/*" }))).toEqual(expected);
    await ask("grep", { pattern: "x" });
  });

  it("a repository inside is one of its own in a repository, and nothing special outside one", async () => {
    const files = { ".gitignore": "a\n", "in/.git/HEAD": X, "in/a": X, "in/.gitignore": "b\n", "in/b": X, "in/c": X };
    const { at, ask } = await bothEngines(files);
    expect(paths(await ask("glob", { pattern: "in/**" }))).toEqual(["in/.gitignore", "in/a", "in/c"]);
    expect(paths(await ask("glob", { pattern: "**", path: "in" }))).toEqual(["in/.gitignore", "in/a", "in/c"]);
    rmSync(join(at.project, ".git"), { recursive: true });
    expect(paths(await ask("glob", { pattern: "in/**" }))).toEqual(["in/.gitignore", "in/c"]);
  });

  it("an ignored folder that is named is searched, by the rules that are in it", async () => {
    const { ask } = await bothEngines({
      ".gitignore": "lib/\n*.md\n",
      "lib/p/a.md": X,
      "lib/p/b": X,
      "lib/p/.gitignore": "b\n",
    });
    expect(paths(await ask("glob", { pattern: "**", path: "lib/p" }))).toEqual(["lib/p/.gitignore", "lib/p/a.md"]);
    expect(await ask("grep", { pattern: "x", path: "lib" })).toBe("1 match in 1 file.\n\nlib/p/a.md\n  1: x");
  });

  it("files that lie above the project do not count", async () => {
    const { at, ask } = await bothEngines({ "src/a.ts": X, "src/b.ts": X, "src/.gitignore": "b.ts\n" });
    put(at.root, { ".ignore": "*.ts\n", ".gitignore": "*.ts\n" });
    expect(paths(await ask("glob", { pattern: "*.ts" }))).toEqual(["src/a.ts"]);
    expect(paths(await ask("glob", { pattern: "*.ts", path: "src" }))).toEqual(["src/a.ts"]);
  });

  it("links are not followed, and circles of them do no harm", async () => {
    const { at, ask } = await bothEngines({ "a/f": X });
    symlinkSync("..", join(at.project, "a/up"));
    symlinkSync("self", join(at.project, "self"));
    symlinkSync("a", join(at.project, "also"));
    symlinkSync("a/f", join(at.project, "file"));
    expect(await ask("glob", { pattern: "**/*" })).toBe("1 file, newest first.\n\na/f");
    expect(await ask("grep", { pattern: "x" })).toBe("1 match in 1 file.\n\na/f\n  1: x");
    expect(await ask("list", {})).toBe(
      "./\n  .toolwright/\n    tools/ [empty]\n  a/\n    f\n    up -> ..\n  also -> a\n  file -> a/f\n  self -> self",
    );
  });

  it("random trees and rules", { timeout: 120_000 }, async () => {
    const random = randomFrom(20_251_115);
    const { at, ask } = await bothEngines();
    for (let round = 0; round < ROUNDS; round++) {
      plantTree(join(at.project, `t${round}`), random);
      await ask("glob", { pattern: "**/*", path: `t${round}` });
    }
    await ask("grep", { pattern: "x" });
  });
});

describe("[B7] ripgrep and the fallback find the same", () => {
  const TEXTS: Record<string, string | Buffer> = {
    "a.txt": "foo bar\nFoo  Bar\n\n  foo()\nfoo.bar [x] {y} $z ^w\nend",
    "b/crlf.txt": "foo\r\n\r\nbar foo\r\nlast\r\n",
    "b/unicode.txt": "größe naïve ÄÖ\n日本語 テスト\n😀 smile\nＦＵＬＬ\n٣ arabic\nK\u212a kelvin\na\u00a0b\u2028c\n",
    "c/latin1.txt": Buffer.from("caf\xe9 foo\nplain\xff\n", "latin1"),
    "c/bom.txt": "\uFEFFfoo first\nsecond\n",
    "c/utf16le.txt": Buffer.from("\uFEFFfoo wide\r\nbär\n", "utf16le"),
    "c/utf16be.txt": Buffer.from("\uFEFFfoo wide\nx\n", "utf16le").swap16(),
    "d/binary": Buffer.from("foo\nfoo\0foo\n"),
    "d/late-binary": Buffer.from(`foo\n${"a\n".repeat(100_000)}\0\nfoo\n`),
    "d/empty": "",
    "e/long.txt": `${"a".repeat(9_000)}foo${"ü".repeat(9_000)}\nfoo ${"ü".repeat(2_000)}\n${"😀".repeat(400)}foo\n`,
    "e/no-end.txt": "foo",
  };

  const PATTERNS = [
    "foo",
    "(?i)FOO",
    "^foo",
    "foo$",
    "^$",
    "^",
    "$",
    ".",
    "^.$",
    "o+",
    "o{2}",
    "fo{1,}o?",
    "foo|bar|x",
    "(foo|bar) ?(bar)?",
    "\\bfoo\\b",
    "\\Boo",
    "\\w+\\s\\w+",
    "\\d",
    "\\D+$",
    "\\S{8,}",
    "[^a-z\\s]",
    "[[:upper:]]",
    "[a-zà-ü]+ß",
    "\\p{Lu}",
    "\\p{Greek}",
    "\\p{Han}",
    "\\P{L}foo",
    "(?i)k$",
    "(?i)größe",
    "\\.",
    "foo\\(\\)",
    "foo()",
    "[x]",
    "\\[x\\]",
    "{y}",
    "\\{y\\}",
    "\\$z",
    "\\^w",
    "a.b",
    "caf.",
    "caf[^x]",
    "plain",
    "wide$",
    "bär",
    "😀",
    "^.smile",
    "..smile",
    "\\x{1F600}",
    "\\u00e4",
    "\\t",
    "first|second",
    "end$",
    "a++",
    "(?=x)",
    "\\1",
    "[z-a]",
    "*",
    "(",
    ")",
    "[",
    "a{2,1}",
    "\\",
    "a\\nb",
    "-foo",
    "--files",
    "(?m)^x",
    "x*?",
    "(?:)",
    "|",
    "()",
    "[\\w.]+@",
    "[]x]",
    "[^]]x",
    "[a&&b]",
    "\\/",
    "\\<",
  ];

  it("whatever the pattern and the text", { timeout: 60_000 }, async () => {
    const { ask } = await bothEngines(TEXTS);
    for (const pattern of PATTERNS) {
      await ask("grep", { pattern });
      await ask("grep", { pattern, path: "c", include: "*.txt" });
      await ask("grep", { pattern, path: "a.txt" });
    }
  });

  it("the first of many matches, by path", { timeout: 60_000 }, async () => {
    const many = Array.from({ length: 300 }, (_, at) => [`f${at % 7}/g-${at}/h.txt`, "foo\n".repeat(at % 40)] as const);
    const late = `${"foo\n".repeat(90)}${"a\n".repeat(100_000)}\0`;
    const { ask } = await bothEngines({
      ...Object.fromEntries(many),
      "f0-a/x": "foo\n",
      "f0.a": "foo\n",
      "f0/g-119/a.bin": late,
    });
    expect(await ask("grep", { pattern: "foo" })).toContain("The first 100 matches in 4 files, by path.");
    await ask("grep", { pattern: "foo", include: "f3/**" });
    await ask("grep", { pattern: "foo", include: "g-2*/h.txt" });
  });

  const GLOBS = [
    "**/*.ts",
    "*.ts",
    "/*.ts",
    "./*.ts",
    "src/**",
    "src/**/*.{ts,tsx}",
    "{src,lib}/*.ts",
    "src/?.ts",
    "src/[ab].ts",
    "src/[!ab].ts",
    "**/[[]id]/*.tsx",
    "app/(group)/*.tsx",
    "**/.*",
    "**/.hidden/**",
    "SRC/*",
    "**",
    "a*b",
    "**/*.test.*",
    "src/*/*.ts",
    "@scope/**",
    "+page.ts",
    "!x.ts",
    "..",
    "../a",
    "",
    "a/../b",
    "\\[id\\]/*",
    "**/\\[id\\]/*",
    "{a,b",
    "[",
    "*.{ts",
    "lib/{a,b/c}.ts",
    "src//a.ts",
    "src/",
    "[a-z]*.ts",
    "x{1..3}.ts",
    "*",
    "**/src/**/a.ts",
    "?.ts",
  ];

  it("whatever the pattern for paths", { timeout: 60_000 }, async () => {
    const names = [
      "a.ts",
      "b.tsx",
      ".env",
      "!x.ts",
      "+page.ts",
      "x2.ts",
      "src/a.ts",
      "src/b.ts",
      "src/c.ts",
      "src/é.ts",
      "src/deep/a.ts",
      "src/a.test.ts",
    ].concat([
      "lib/a.ts",
      "lib/b/c.ts",
      "app/(group)/p.tsx",
      "app/[id]/p.tsx",
      ".hidden/a.ts",
      "@scope/x/y.ts",
      "axb",
      "src/x.TS",
    ]);
    const { ask } = await bothEngines(Object.fromEntries(names.map((name) => [name, X])));
    for (const pattern of GLOBS) {
      await ask("glob", { pattern });
      await ask("grep", { pattern: "x", include: pattern });
    }
  });
});

/** The same numbers between 0 and 1 each time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const NAMES = [
  "a",
  "b",
  "foo",
  "bar",
  "build",
  "a.log",
  "b.txt",
  "x y",
  "#h",
  "!n",
  "é",
  ".hid",
  "A",
  "a[1]",
  "d d ",
  "{z}",
  "-d",
];
const RULES = [
  "a",
  "b/",
  "/a",
  "/foo/",
  "*.log",
  "!a",
  "!b.txt",
  "!foo/",
  "**/bar",
  "foo/**",
  "foo/*",
  "!foo/bar",
  "a/b",
  "a/**/b",
  "*",
  "!*/",
]
  .concat([
    "!*.txt",
    "\\#h",
    "\\!n",
    "#h",
    "x\\ y",
    "d d ",
    "d d\\ ",
    "a[1]",
    "a\\[1\\]",
    "[ab]",
    "[!a]",
    ".*",
    "!.hid",
    "?",
    "/*",
    "!/foo",
  ])
  .concat([
    "build",
    "!build/",
    "**",
    "a/",
    "é",
    "{z}",
    "{a,b}",
    "*.{log,txt}",
    "",
    "/",
    "*/b",
    "/*/a",
    "**/foo/**",
    "a**",
    "f*o",
    "a.log\r",
    "[",
  ])
  .concat(["a\\", "!", "//", "./a", "[[:alpha:]]", "[]a]", "[^a]", "**/", "/**/a", "a/**/"]);

function plantTree(root: string, random: () => number): void {
  const pick = (values: readonly string[]): string => values[Math.floor(random() * values.length)] ?? "";
  const folders = [""];
  for (let count = 0; count < 6; count++) folders.push(`${pick(folders)}${pick(NAMES)}/`);
  const grow = (path: string, text: string): void => {
    try {
      put(root, { [path]: text });
    } catch {
      // There is a file where a folder should be, or the other way round.
    }
  };
  for (const folder of folders) for (let count = 0; count < 3; count++) grow(folder + pick(NAMES), X);
  for (let count = 0; count < 3; count++) {
    const kind = pick([".gitignore", ".gitignore", ".ignore", ".rgignore"]);
    grow(pick(folders) + kind, Array.from({ length: 3 }, () => pick(RULES)).join("\n"));
  }
  if (random() < 0.2) grow(`${pick(folders)}.git/HEAD`, X);
}
