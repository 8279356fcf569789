import type { ToolErrorCode } from "../../src/core/error.ts";

/** The limits of the cases. */
export const LIMITS = { timeoutMs: 1500, importMs: 1000, memoryMb: 300 };

/** A call of a fixture tool and its expected result, on every surface. */
export interface Case {
  readonly tool: string;
  readonly input?: Record<string, unknown>;
  readonly says: string | RegExp;
  /** Absent: the call succeeds. */
  readonly code?: ToolErrorCode;
  /** For a tool that must reach another limit first, also on a loaded machine. Absent: that of `LIMITS`. */
  readonly timeoutMs?: number;
}

const TIMED_OUT = (tool: string): string =>
  `"${tool}" was stopped after 1.5 s, its time limit. Ask it for less, or give it more time ("timeoutMs" in the settings).`;

const CRASHED = (tool: string, reason: string): string =>
  `The process that ran "${tool}" ended before the call did: ${reason}. A new process is started for the next call; try again only if the tool is safe to repeat.`;

export const GOOD: readonly Case[] = [
  { tool: "greet", says: "Hello, world!" },
  { tool: "greet", input: { name: "Ada" }, says: "Hello, Ada!" },
  { tool: "greet_loudly", input: { name: "Ada" }, says: "HELLO, ADA!" },
  {
    tool: "zod-features",
    input: { color: "red", either: 5, labels: { a: "b" }, box: { width: 2 }, upper: "up", count: "7", extra: 1 },
    says: '{"color":"red","unit":"cm","either":5,"labels":{"a":"b"},"box":{"width":2,"tags":[]},"upper":"UP","count":7}',
  },
  { tool: "whole-object", input: { path: "a.ts" }, says: "content of a.ts" },
  { tool: "typebox-new", input: { path: "src" }, says: "src to 2" },
  { tool: "typebox-old", input: { path: "src", depth: "4" }, says: "src to 4" },
  { tool: "plain", input: { path: "src" }, says: /^\{"path":"src","depth":1,"directory":".*project"\}$/ },
  { tool: "no-args", says: "" },
  { tool: "common", says: "common js" },
  { tool: "siblings", says: "one two three four five true" },
  { tool: "syntax", says: "logged high" },
  { tool: "folder", says: "from a folder" },
  { tool: "prints", says: "printed" },
  { tool: "picture", says: "A dot:" },
  { tool: "chatty", says: "streamed" },
  { tool: "slow", input: { ms: 10 }, says: "done" },
  { tool: "throws-later", says: "returned" },
  { tool: "big-string", says: /\n\[truncated: 104807600 bytes omitted; full output: .*\.txt\]$/ },
];

export const BAD: readonly Case[] = [
  { tool: "fails", code: "failed", says: "The linter is not installed." },
  { tool: "fails_softly", code: "failed", says: "No such branch." },
  { tool: "fails_strangely", code: "invalid_output", says: /BigInt/ },
  { tool: "exits", code: "crashed", says: CRASHED("exits", "a tool called process.exit(0)") },
  { tool: "loops", code: "timeout", says: TIMED_OUT("loops") },
  { tool: "never-settles", code: "timeout", says: TIMED_OUT("never-settles") },
  { tool: "deaf", code: "timeout", says: TIMED_OUT("deaf") },
  {
    tool: "eats-heap",
    code: "crashed",
    says: CRASHED("eats-heap", "it used more than 300 MB of memory, its limit"),
    timeoutMs: 20_000,
  },
  {
    tool: "eats-buffers",
    code: "crashed",
    says: CRASHED("eats-buffers", "it used more than 300 MB of memory, its limit"),
    timeoutMs: 20_000,
  },
  {
    tool: "throws-later_meanwhile",
    code: "crashed",
    says: CRASHED("throws-later_meanwhile", "an uncaught error: In between"),
  },
  { tool: "segfaults", code: "crashed", says: CRASHED("segfaults", "it was ended by SIGSEGV") },
  {
    tool: "asks",
    code: "denied",
    says: '"asks" asks for permission: deploy. No person can be asked here, so it was refused. Find another way, or tell the user.',
  },
];

/** Calls that never reach a tool. */
export const REFUSED: readonly Case[] = [
  {
    tool: "zod-features",
    input: { color: "blue", size: 0, either: true, labels: {}, box: {}, upper: 1, count: "x" },
    code: "invalid_input",
    says: /^The input for "zod-features" is not valid:\n- \/color: .*"red".*"green".*\n- \/size: .*\n- \/either: .*\n- \/box\/width: .*\n- \/upper: .*\n- \/count: .*\nCorrect it and call the tool again\.$/,
  },
  { tool: "greet_loudly", code: "invalid_input", says: /\n- \/name: is required/ },
  { tool: "plain", input: { path: 5 }, code: "invalid_input", says: /\n- \/path: / },
  {
    tool: "gret",
    code: "unknown_tool",
    says: /^There is no tool "gret"\. Did you mean "grep" or "greet"\? \d+ files could not be read: run "toolwright check" to see why\.$/,
  },
  {
    tool: "throws-at-import",
    code: "unknown_tool",
    says: /throws-at-import\.ts:7: It threw while it was imported: No database today\.$/,
  },
];

/** The problems of the fixture: file, line, code, message. */
export const PROBLEMS: readonly (readonly [
  file: string,
  line: number | undefined,
  code: string,
  message: string | RegExp,
])[] = [
  [
    "bad name.ts",
    1,
    "bad_name",
    '"bad name" is not a valid tool name: a name has 1 to 64 letters, digits, "_" and "-". Rename the file "bad name".',
  ],
  ["bad-schema.ts", 1, "bad_schema", /path/],
  [
    "blocks-at-import.ts",
    undefined,
    "import_timeout",
    "Importing it did not end within 1 s. Move long work from the top of the file into execute().",
  ],
  ["does-not-parse.ts", 3, "syntax", "Unexpected token. Correct it and save."],
  [
    "exits-at-import.ts",
    undefined,
    "import_failed",
    "Importing it ended the process: a tool called process.exit(0). Take what does this out of the top of the file.",
  ],
  [
    "hangs-at-import.ts",
    undefined,
    "import_timeout",
    "Importing it did not end within 1 s. Move long work from the top of the file into execute().",
  ],
  [
    "needs-package.ts",
    1,
    "import_failed",
    /^It imports the package "a-package-nobody-has-installed", which is not installed\./,
  ],
  ["not-a-tool.ts", undefined, "not_a_tool", /./],
  ["throws-at-import.ts", 7, "import_failed", "It threw while it was imported: No database today."],
];
