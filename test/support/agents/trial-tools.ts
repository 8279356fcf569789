/** A PNG of one pixel, in base64. */
export const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const DRAW = `export default {
  description: "Draws a dot.",
  execute: () => ({
    content: [{ type: "text", text: "Here it is." }, { type: "image", data: "${DOT}", mimeType: "image/png" }],
  }),
};
`;

const SKETCH = `export default {
  description: "Draws a dot, and says nothing.",
  execute: () => ({ content: [{ type: "image", data: "${DOT}", mimeType: "image/png" }] }),
};
`;

/** The output of the tool `log`, which is truncated to 2,000 lines. */
export const LOG: string = Array.from({ length: 3_000 }, (_, index) => `step ${index + 1}`).join("\n");

const LONG = `export default {
  description: "Prints the log of the last build.",
  execute: () => Array.from({ length: 3_000 }, (_, index) => \`step \${index + 1}\`).join("\\n"),
};
`;

const LOOK = `import { readFileSync } from "node:fs";
import { resolve } from "node:path";

export default {
  description: "Reads a file of the project.",
  args: { path: { type: "string", description: "The file, relative to the project" } },
  access: ({ path }, { cwd }) => [{ kind: "read", target: resolve(cwd, path), named: true }],
  execute: ({ path }, { directory }) => readFileSync(resolve(directory, path), "utf8"),
};
`;

const PUBLISH = 'export default { description: "Publishes the package.", execute: () => "Published." };\n';

/** A name of the maximum length. */
export const COUNT = "count_the_words_of_a_text_and_tell_how_many_there_are_of_each_ok";

/** A tool whose schema has a reference and type lists. */
const COUNTING = `export default {
  name: "${COUNT}",
  description: "Counts a word.",
  inputSchema: {
    type: "object",
    $defs: { word: { type: ["string", "null"], description: "The word" } },
    properties: {
      word: { $ref: "#/$defs/word" },
      most: { type: ["integer", "string"], description: "Where to stop" },
    },
    required: ["word"],
  },
  handler: ({ word, most }) => \`Counted \${JSON.stringify(word)} up to \${JSON.stringify(most)}.\`,
};
`;

const BROKEN = 'export default {\n  description: "Was saved too early.",\n  execute: () => "x"\n';

const HANGS = `await new Promise((resolve) => setTimeout(resolve, 1_000_000));
export default { description: "Waits for something that never comes.", execute: () => "x" };
`;

/** Valid and broken tool files. */
export const TRIAL_FILES: Readonly<Record<string, string>> = {
  "broken.ts": BROKEN,
  "counting.ts": COUNTING,
  "draw.ts": DRAW,
  "hangs.ts": HANGS,
  "log.ts": LONG,
  "look.ts": LOOK,
  "publish.ts": PUBLISH,
  "sketch.ts": SKETCH,
};

/** The tools that must be listed despite the broken files. */
export const TRIAL_TOOLS: readonly string[] = [
  COUNT,
  "draw",
  "find",
  "log",
  "look",
  "note",
  "print",
  "publish",
  "sketch",
];

export const TRIAL_SETTINGS = {
  limits: { importMs: 2_000 },
  permissions: [
    { tool: "look", match: "secrets", action: "deny" },
    { tool: "publish", action: "ask" },
  ],
} as const;
