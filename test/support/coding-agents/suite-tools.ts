/** The tool files of the suite. All but `guarded` declare that they touch nothing, so that they need no permission. */

/** A PNG of one pixel, in base64. */
export const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** 60 KB in 1,000 lines. */
export const LARGE: string = Array.from({ length: 1_000 }, (_, index) => `${index + 1} `.padEnd(59, "x")).join("\n");

/** Text of several scripts, and characters that break careless code: quotes, a line separator, a character of two units. */
export const UNICODE = 'Käse "чай" 茶 🧀👩‍👩‍👧 \u2028 \\n %s </tool> e\u0301 \u202Eend';

/** A surrogate without its other half on each end. */
export const LONE = "\uDC00 lone \uD83D";

export const PAPER = "The printer is out of paper: fill it up, then print again.";

const NOTE = `import { tool } from "toolwright";

export default tool({
  description: "Repeats a line.",
  args: {
    text: tool.schema.string().min(1).describe("The line to repeat."),
    times: tool.schema.number().int().min(1).max(9).default(2).describe("How often to repeat it."),
    tone: tool.schema.enum(["loud", "quiet"]).optional().describe("How to say it."),
    tags: tool.schema.array(tool.schema.string()).max(3).optional().describe("Words to sort it by."),
  },
  access: () => [],
  execute: ({ text, times, tone = "plain" }) => \`\${tone}: \${Array(times).fill(text).join(", ")}\`,
});
`;

const PRINT = `export default {
  description: "Prints the notes.",
  access: () => [],
  execute() {
    throw new Error("${PAPER}");
  },
};
`;

const CONTEXT = `export default {
  description: "Returns the context of the call.",
  access: () => [],
  execute: (_, { sessionID, messageID, callID, agent, directory, abort }) =>
    JSON.stringify({ sessionID, messageID, callID, agent, directory, aborted: abort.aborted }),
};
`;

/** Reports progress, and ends when the test has seen it. */
const METADATA = `import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export default {
  description: "Reports progress.",
  access: () => [],
  async execute(_, { metadata, directory, abort }) {
    metadata({ title: "Half of it", metadata: { done: 1 } });
    while (!existsSync(join(directory, "metadata.seen"))) await sleep(20, undefined, { signal: abort });
    return "All of it.";
  },
};
`;

/** The same as a factory module. */
const STREAMED = `import type { CustomToolAPI } from "toolwright";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export default (pi: CustomToolAPI) => ({
  name: "streamed",
  label: "Streamed",
  description: "Streams progress.",
  parameters: pi.typebox.Type.Object({}),
  async execute(_id, _params, onUpdate, _ctx, signal) {
    onUpdate({ content: [{ type: "text", text: "Half of it" }], details: { done: 1 } });
    while (!existsSync(join(pi.cwd, "streamed.seen"))) await sleep(20, undefined, { signal });
    return { content: [{ type: "text", text: "All of it." }] };
  },
});
`;

/** Writes when it runs, and when its signal has fired. */
const WAIT = `import { writeFileSync } from "node:fs";
import { join } from "node:path";

export default {
  description: "Waits until it is stopped.",
  args: { name: { type: "string" } },
  access: () => [],
  async execute({ name }, { directory, abort }) {
    const stopped = new Promise((resolve) => abort.addEventListener("abort", resolve));
    writeFileSync(join(directory, name + ".begun"), String(process.pid));
    await stopped;
    writeFileSync(join(directory, name + ".stopped"), "by the signal");
    throw new Error("stopped");
  },
};
`;

/** Ignores the signal, with a child process that ignores signals. */
const IGNORE = `import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const IGNORES_SIGNALS = 'for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {}); setInterval(() => {}, 1_000); console.log("ready");';

export default {
  description: "Waits, and ignores that it is stopped.",
  args: { name: { type: "string" } },
  access: () => [],
  async execute({ name }, { directory }) {
    const child = spawn(process.execPath, ["-e", IGNORES_SIGNALS], { stdio: ["ignore", "pipe", "ignore"] });
    await once(child.stdout, "data");
    writeFileSync(join(directory, name + ".begun"), process.pid + " " + child.pid);
    await new Promise((resolve) => setTimeout(resolve, 1_000_000));
  },
};
`;

const CRASH = `export default {
  description: "Ends its process.",
  access: () => [],
  execute: () => process.exit(3),
};
`;

/** Declares nothing, so that it needs a permission. */
const GUARDED = 'export default { description: "Publishes the package.", execute: () => "Published." };\n';

const DRAW = `export default {
  description: "Draws a dot.",
  access: () => [],
  execute: () => ({
    content: [{ type: "text", text: "Here it is." }, { type: "image", data: "${DOT}", mimeType: "image/png" }],
  }),
};
`;

const EMPTY = 'export default { description: "Returns nothing.", access: () => [], execute: () => {} };\n';

/** Its text and its data differ. Some agents show their model only the data. */
const DATA = `import { tool } from "toolwright";

export default tool({
  description: "Counts the words.",
  output: { words: tool.schema.number() },
  access: () => [],
  execute: () => ({ output: "There are 7 words.", metadata: { words: 7 } }),
});
`;

const REPORT = `export default {
  description: "Writes a report.",
  access: () => [],
  execute: () => ({
    output: "The report is ready.",
    attachments: [{ type: "file", mime: "application/pdf", filename: "report.pdf", url: "data:application/pdf;base64,JVBERi0=" }],
  }),
};
`;

const LOG = `export default {
  description: "Prints a long log.",
  access: () => [],
  execute: () => Array.from({ length: 1_000 }, (_, index) => \`\${index + 1} \`.padEnd(59, "x")).join("\\n"),
};
`;

/** Two calls wait for each other. A call that stays alone ends by itself. */
const MEET = `import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export default {
  description: "Waits for another call.",
  args: { place: { type: "string" }, name: { type: "string" } },
  hints: { readOnly: true },
  access: () => [],
  async execute({ place, name }, { directory, abort, sessionID }) {
    writeFileSync(join(directory, place + "." + name + ".here"), "");
    for (let round = 0; round < 750; round++) {
      const here = readdirSync(directory).filter((file) => file.startsWith(place + ".") && file.endsWith(".here"));
      if (here.length === 2) return \`\${name} is not alone in \${sessionID}\`;
      await sleep(20, undefined, { signal: abort });
    }
    return \`\${name} is alone in \${sessionID}\`;
  },
};
`;

/** Returns its input as JSON in ASCII, and the text of a file as it is, lone surrogates included. */
const ECHO = `export default {
  description: "Returns its text.",
  args: { text: { type: "string" } },
  access: () => [],
  execute: ({ text }) => text,
};
`;

const UNITS = `export default {
  description: "Returns the code units of its text.",
  args: { text: { type: "string" } },
  access: () => [],
  execute: ({ text }) => [...Array(text.length).keys()].map((index) => text.charCodeAt(index).toString(16)).join(" "),
};
`;

const LONE_RESULT = `export default {
  description: "Returns half a character.",
  access: () => [],
  execute: () => "\\uDC00 lone \\uD83D",
};
`;

/** The tool that is edited. */
export const version = (number: number, argument: string): string => `export default {
  description: "Version ${number}.",
  args: { ${argument}: { type: "string", description: "Argument of version ${number}." } },
  access: () => [],
  execute: (args) => "Version ${number} got " + JSON.stringify(args),
};
`;

/** Ten tools in a file. */
export const manyTools = (file: number): string =>
  Array.from(
    { length: 10 },
    (_, index) =>
      `export const t${index} = { description: "Tool ${index} of file ${file}.", args: { text: { type: "string" } }, access: () => [], execute: ({ text }) => "${file}/${index}: " + text };\n`,
  ).join("");

export const HANGS_AT_IMPORT = `await new Promise((resolve) => setTimeout(resolve, 1_000_000));
export default { description: "Waits for something that never comes.", execute: () => "x" };
`;

export const SUITE_FILES: Readonly<Record<string, string>> = {
  "context.ts": CONTEXT,
  "crash.ts": CRASH,
  "data.ts": DATA,
  "draw.ts": DRAW,
  "echo.ts": ECHO,
  "edited.ts": version(1, "before"),
  "empty.ts": EMPTY,
  "guarded.ts": GUARDED,
  "half.ts": LONE_RESULT,
  "ignore.ts": IGNORE,
  "log.ts": LOG,
  "meet.ts": MEET,
  "metadata.ts": METADATA,
  "note.ts": NOTE,
  "print.ts": PRINT,
  "report.ts": REPORT,
  "streamed.ts": STREAMED,
  "units.ts": UNITS,
  "wait.ts": WAIT,
};
