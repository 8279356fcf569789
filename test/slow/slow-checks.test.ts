import { expect, it } from "vitest";
import { outputOf } from "../../src/core/result.ts";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import { open } from "../support/toolbox.ts";

const SLOW_PATTERN = "^(a+)+$";
const SLOW_TEXT = `${"a".repeat(40)}b`;

/** Longer than the check of an input may take, and shorter than a test. */
const LIMIT_MS = 10_000;

function plugin(tool: string, schema: object, command = "printf here"): string {
  const inputSchema = { type: "object", ...schema };
  const tools = [{ name: tool, description: "Runs.", inputSchema, handler: { type: "shell", command } }];
  return JSON.stringify({ name: `plugin-${tool}`, version: "1.0.0", tools });
}

const LINKS = { anyOf: [{ required: ["x"] }, { $ref: "#/$defs/link" }, { $ref: "#/$defs/other" }] };
const LINK = {
  properties: { next: { anyOf: [{ $ref: "#/$defs/link" }, { $ref: "#/$defs/other" }] } },
  not: { required: ["end"] },
};

function chain(levels: number): object {
  let value: object = { end: 1 };
  for (let level = 0; level < levels; level += 1) value = { next: value };
  return value;
}

interface Row {
  readonly what: string;
  readonly file: string;
  readonly source: string;
  readonly input: unknown;
  /** What the message names as the reason. */
  readonly names: string;
}

const typescript = (fields: string, more = ""): string => `import { tool } from "toolwright";
  const slow = (value) => /${SLOW_PATTERN}/.test(value);
  export default tool({ description: "Slow.", ${fields} ${more} execute: () => "here" });`;

const text = { text: SLOW_TEXT };

/** Checks that the host can stop. */
const STOPPED: readonly Row[] = [
  {
    what: "the pattern of a JSON tool",
    file: "slow.json",
    source: plugin("slow", { properties: { text: { type: "string", pattern: SLOW_PATTERN } } }),
    input: text,
    names: "#/properties/text/pattern",
  },
  {
    what: "the pattern of property names of a JSON tool",
    file: "slow.json",
    source: plugin("slow", { propertyNames: { pattern: SLOW_PATTERN } }),
    input: { [SLOW_TEXT]: 1 },
    names: "#/propertyNames/pattern",
  },
  {
    what: "patternProperties of a JSON tool",
    file: "slow.json",
    source: plugin("slow", { patternProperties: { [SLOW_PATTERN]: {} } }),
    input: { [SLOW_TEXT]: 1 },
    names: "#/patternProperties/^(a+)+$",
  },
  {
    what: "a format of a JSON tool",
    file: "slow.json",
    source: plugin("slow", { properties: { text: { type: "string", format: "url" } } }),
    input: { text: `https://a.b/${":".repeat(200_000)}\n` },
    names: "#/properties/text/format",
  },
  {
    what: "uniqueItems of a JSON tool",
    file: "slow.json",
    source: plugin("slow", { properties: { list: { type: "array", uniqueItems: true } } }),
    input: { list: Array.from({ length: 30_000 }, (_, index) => ({ index })) },
    names: "#/properties/list/uniqueItems",
  },
  {
    what: "alternatives of a JSON tool that refer to themselves",
    file: "slow.json",
    source: plugin("slow", { properties: { tree: LINKS }, $defs: { link: LINK, other: LINK } }),
    input: { tree: chain(40) },
    names: "#/properties/tree/anyOf/1/$ref",
  },
  {
    what: "the pattern of a JSON Schema field in TypeScript",
    file: "slow.ts",
    source: typescript(`args: { text: { type: "string", pattern: ${JSON.stringify(SLOW_PATTERN)} } },`),
    input: text,
    names: "#/properties/text/pattern",
  },
  {
    what: "a regular expression of Zod",
    file: "slow.ts",
    source: typescript(`args: { text: tool.schema.string().regex(/${SLOW_PATTERN}/) },`),
    input: text,
    names: "#/properties/text/pattern",
  },
  {
    what: "a pattern of TypeBox",
    file: "slow.ts",
    source: `import { Type } from "@sinclair/typebox"; import { tool } from "toolwright";
      export default tool({ description: "Slow.", args: { text: Type.String({ pattern: ${JSON.stringify(SLOW_PATTERN)} }) }, execute: () => "here" });`,
    input: text,
    names: "#/properties/text/pattern",
  },
];

/** Checks that only another process can stop: authors' functions. */
const ENDED: readonly Row[] = [
  {
    what: "a refinement of Zod",
    file: "slow.ts",
    source: typescript(
      "args: { text: tool.schema.string().refine(slow) },",
      'access: () => [{ kind: "execute", target: "true" }],',
    ),
    input: text,
    names: "",
  },
  {
    what: "the function that declares the access",
    file: "slow.ts",
    source: typescript(
      "args: { text: tool.schema.string() },",
      'access: ({ text }) => (slow(text), [{ kind: "execute", target: "true" }]),',
    ),
    input: text,
    names: "",
  },
];

const NEIGHBOURS = {
  "quick.json": plugin("quick", {}),
  "steady.json": plugin("steady", {}, "sleep 2; printf done"),
  "plain.ts": 'export default { description: "Answers.", execute: () => "here" };',
  "lasting.ts":
    'export default { description: "Lasts.", execute: () => new Promise((done) => setTimeout(done, 2_000, "done")) };',
  "declared.ts": `export default {
    description: "Answers.", access: () => [{ kind: "execute", target: "true" }], execute: () => "here" };`,
};

async function call(toolbox: Toolbox, name: string, input: unknown = {}): Promise<string> {
  return outputOf(await toolbox.call({ name, input, timeoutMs: LIMIT_MS }).result);
}

function neighbours(toolbox: Toolbox): Promise<string[]> {
  return Promise.all(["quick", "plain", "declared"].map((name) => call(toolbox, name)));
}

const HERE = ["here", "here", "here"];
const alive = (toolbox: Toolbox): number => toolbox.status.hosts.reduce((sum, each) => sum + each.alive, 0);

const stopped = (names: string): string =>
  `"slow" was stopped while its input was checked, and has not run. Its schema (${names}) takes too long for this input. Call it with a shorter or simpler input; the author of the tool must correct the schema.`;
const ended =
  '"slow" was stopped while its input was checked, and has not run. The schema, or the function that declares the access, takes too long for this input. Call it with a shorter or simpler input; the author of the tool must correct the schema.';

it.each(STOPPED)(
  "[P4] [P5] [X1] $what that is slow fails, and no other call notices",
  async ({ file, source, input, names }) => {
    const { toolbox } = await open({ ...NEIGHBOURS, [file]: source });
    expect(await neighbours(toolbox)).toEqual(HERE);
    const lasting = ["steady", "lasting"].map((name) => call(toolbox, name));
    const first = call(toolbox, "slow", input);
    expect(await neighbours(toolbox)).toEqual(HERE);
    expect(await first).toBe(stopped(names));
    const many = Array.from({ length: 10 }, () => call(toolbox, "slow", input));
    expect(await neighbours(toolbox)).toEqual(HERE);
    for (const each of await Promise.all(many)) expect([stopped(names), ended]).toContain(each);
    for (let again = 0; again < 3; again += 1) expect(await call(toolbox, "slow", input)).toBe(stopped(names));
    expect(await Promise.all(lasting)).toEqual(["done", "done"]);
    // The two kinds of hosts, and the one in which the slow tool now is alone.
    await expect.poll(() => alive(toolbox), { timeout: 10_000 }).toBe(3);
  },
);

it("[P4] [X1] an output that is slow to check is shown with the reason, and no other call notices", async () => {
  const { toolbox } = await open({
    ...NEIGHBOURS,
    "slow.ts": typescript(
      `output: tool.schema.object({ text: tool.schema.string().regex(/${SLOW_PATTERN}/) }),`,
    ).replace('"here"', `({ text: ${JSON.stringify(SLOW_TEXT)} })`),
  });
  const lasting = ["steady", "lasting"].map((name) => call(toolbox, name));
  const result = toolbox.call({ name: "slow" }).result;
  expect(await neighbours(toolbox)).toEqual(HERE);
  expect(await result).toMatchObject({
    ok: false,
    content: [{ type: "text", text: JSON.stringify({ text: SLOW_TEXT }) }],
    error: {
      code: "invalid_output",
      message:
        '"slow" has run, but the check of its output was stopped: the output that it declares (#/properties/text/pattern) takes too long to check for this result. This is a bug in the tool: fix the declared output.',
    },
  });
  expect(await Promise.all(lasting)).toEqual(["done", "done"]);
});

it.each(["none", "file"] as const)("[P4] [X1] a slow pattern is stopped with the isolation %s", async (isolation) => {
  const { file, source, input, names } = STOPPED[7] as Row;
  const { toolbox } = await open({ ...NEIGHBOURS, [file]: source }, { isolation });
  for (let again = 0; again < 3; again += 1) expect(await call(toolbox, "slow", input)).toBe(stopped(names));
  expect(await neighbours(toolbox)).toEqual(HERE);
});

it.each(ENDED)(
  "[P4] [P5] [X1] $what that is slow fails, and calls that have not started do not notice",
  async ({ file, source, input }) => {
    const { toolbox } = await open({ ...NEIGHBOURS, [file]: source });
    expect(await neighbours(toolbox)).toEqual(HERE);
    const steady = call(toolbox, "steady");
    const first = call(toolbox, "slow", input);
    expect(await neighbours(toolbox)).toEqual(HERE);
    expect(await first).toBe(ended);
    const many = Array.from({ length: 10 }, () => call(toolbox, "slow", input));
    expect(await neighbours(toolbox)).toEqual(HERE);
    for (const each of await Promise.all(many)) expect(each).toMatch(/^"slow" was stopped/);
    expect(await steady).toBe("done");
  },
);
