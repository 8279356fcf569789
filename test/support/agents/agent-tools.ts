/** The file in the project that the tools read and write. */
export const NOTES = "notes.txt";

/** Writes a file, and has a default. */
export const NOTE: string = `import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { tool } from "toolwright";

export default tool({
  description: "Adds a line to the notes of this project.",
  args: {
    text: tool.schema.string().describe("The line to add."),
    times: tool.schema.number().int().min(1).max(9).default(2).describe("How often to add it."),
  },
  execute({ text, times }, { directory }) {
    appendFileSync(join(directory, "${NOTES}"), \`\${text}\\n\`.repeat(times));
    return \`Added \${times} times: \${text}\`;
  },
});
`;

/** Has alternatives at the root of its schema, which most model APIs reject. */
export const FIND: string = `import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tool, tool } from "toolwright";

const z = tool.schema;

export default Tool.define("find", {
  description: "Finds lines in the notes of this project.",
  parameters: z.union([
    z.object({ text: z.string().describe("What the line says.") }),
    z.object({ line: z.number().int().min(1).max(99).describe("The number of the line.") }),
  ]),
  async execute(wanted, { directory }) {
    const lines = readFileSync(join(directory, "${NOTES}"), "utf8").split("\\n");
    const found = lines.filter((line, index) => ("text" in wanted ? line === wanted.text : index + 1 === wanted.line));
    return { title: "Lines", metadata: {}, output: \`Found \${found.length} lines.\` };
  },
});
`;

/** A tool that always fails. */
export const PRINT: string = `import { tool } from "toolwright";

export default tool({
  description: "Prints the notes of this project.",
  args: {},
  execute() {
    throw new Error("The printer is out of paper: fill it up, then print again.");
  },
});
`;

/** The declared descriptions. */
export const DESCRIPTIONS = {
  find: "Finds lines in the notes of this project.",
  note: "Adds a line to the notes of this project.",
  print: "Prints the notes of this project.",
} as const;

const TEXT = { type: "string", description: "What the line says." };
const LINE = { type: "integer", minimum: 1, maximum: 99, description: "The number of the line." };

/** The declared input schemas. */
export const SCHEMAS = {
  find: {
    type: "object",
    anyOf: [
      { type: "object", properties: { text: TEXT }, required: ["text"] },
      { type: "object", properties: { line: LINE }, required: ["line"] },
    ],
  },
  note: {
    type: "object",
    properties: {
      text: { type: "string", description: "The line to add." },
      times: { type: "integer", minimum: 1, maximum: 9, default: 2, description: "How often to add it." },
    },
    required: ["text"],
  },
  print: { type: "object", properties: {} },
} as const;

/** `find` for agents that do not support alternatives. EITHER is added to its description. */
export const FIND_EITHER = { type: "object", properties: { text: TEXT, line: LINE } } as const;
export const EITHER = "Send one of these: { text } or { line }.";

const NEEDS_APPROVAL =
  'The tool "publish", which does not declare what it touches, needs approval under the user\'s rule {"tool":"publish","action":"ask"}.';
/** The refusal of `publish`, which has an ask rule, for a client without elicitation. */
export const NOT_ASKED = `${NEEDS_APPROVAL} No person can be asked here, so it was refused. Find another way, or tell the user.`;
/** The refusals for a client that declines automatically, and for one that cancels the question. */
export const DECLINED = `${NEEDS_APPROVAL} The user said no. Find another way, or tell the user.`;
export const CLOSED = `${NEEDS_APPROVAL} The user closed the question without an answer. Find another way, or tell the user.`;

/** Agents that hide tools only if there are many hide them with these. */
export const MANY_FILES: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 17 }, (_, index) => [
    `more${index}.ts`,
    `export default { description: "Does something else (${index}).", execute: () => "Done." };\n`,
  ]),
);
