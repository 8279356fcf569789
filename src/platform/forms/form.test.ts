import { describe, expect, it } from "vitest";
import { askForm } from "./ask-form.ts";
import { readForm, UnreadableForm } from "./read-form.ts";

const form = (properties: object, required: unknown[] = []): Record<string, unknown> => ({
  message: "Which?",
  requestedSchema: { type: "object", properties, required },
});

/** Answers the dialogs of a form in order, and records them. */
async function ask(
  params: Record<string, unknown>,
  ...answers: unknown[]
): Promise<{ result: object; shown: object[] }> {
  const shown: object[] = [];
  const dialog =
    (kind: string) =>
    async (...args: unknown[]): Promise<never> => {
      shown.push([kind, ...args.filter((arg) => arg !== undefined)]);
      return answers.shift() as never;
    };
  const dialogs = {
    select: dialog("select"),
    confirm: dialog("confirm"),
    input: dialog("input"),
    notify: (message: string) => void shown.push(["notify", message]),
  };
  return { result: await askForm(readForm(params), dialogs, "Title"), shown };
}

const SIZES = [
  { const: "s", title: "Small", description: "For one" },
  { const: "l", title: "Large", description: null },
];

describe("[G9] a form as dialogs", () => {
  it.each<[string, Record<string, unknown>, unknown[], object, object[]]>([
    [
      "a required choice with descriptions",
      form({ size: { type: "string", title: "Size", oneOf: SIZES } }, ["size"]),
      ["Large"],
      { size: "l" },
      [["select", "Which?\nSize", ["Small: For one", "Large"]]],
    ],
    [
      "a choice that may be left out",
      form({ size: { type: "string", enum: ["s", "l"] } }),
      ["Leave it out"],
      {},
      [["select", "Which?\nsize", ["s", "l", "Leave it out"]]],
    ],
    [
      "a text that may be left out",
      form({ note: { type: "string", title: "Note" } }),
      [" "],
      {},
      [["input", "Which?\nNote\nLeave it empty to skip it."]],
    ],
    [
      "a proposed text that is accepted",
      form({ name: { type: "string", default: "Ann", pattern: "(a+)+$" } }, ["name"]),
      [""],
      { name: "Ann" },
      [["input", "Which?\nname", "Ann"]],
    ],
    [
      "fields that are null where they may be",
      form({ n: { type: "integer", title: null, description: null, default: null, minimum: null, enum: null } }, ["n"]),
      ["3"],
      { n: 3 },
      [["input", "Which?\nn"]],
    ],
    [
      "a number out of its bounds",
      form({ n: { type: "number", minimum: 1, maximum: 5 } }, ["n"]),
      ["0.5", "six", "6", "5"],
      { n: 5 },
      [
        ["input", "Which?\nn"],
        ["notify", "0.5 is too little: at least 1."],
        ["input", "Which?\nn"],
        ["notify", "six is not a number."],
        ["input", "Which?\nn"],
        ["notify", "6 is too much: at most 5."],
        ["input", "Which?\nn"],
      ],
    ],
    [
      "a text that is too short",
      form({ name: { type: "string", minLength: 2 } }, ["name"]),
      ["a", "ab"],
      { name: "ab" },
      [
        ["input", "Which?\nname"],
        ["notify", "1 character is too little: at least 2."],
        ["input", "Which?\nname"],
      ],
    ],
    [
      "several choices, one unknown",
      form({ days: { type: "array", maxItems: 2, items: { type: "string", enum: ["mo", "tu"] } } }, ["days"]),
      ["mo, xx", "tu,mo"],
      { days: ["mo", "tu"] },
      [
        ["input", "Which?\ndays\nSeparate them by commas: mo, tu"],
        ["notify", "xx is not one of the choices."],
        ["input", "Which?\ndays\nSeparate them by commas: mo, tu"],
      ],
    ],
    [
      "choices with the same title",
      form({ x: { type: "string", enum: ["a", "b"], enumNames: ["Same", "Same"] } }, ["x"]),
      ["b"],
      { x: "b" },
      [["select", "Which?\nx", ["a", "b"]]],
    ],
    [
      "half a character",
      form({ x: { type: "string", title: "\ud800?" } }, ["x"]),
      ["y"],
      { x: "y" },
      [["input", "Which?\n\ufffd?"]],
    ],
    [
      "a sentence that names a secret",
      form({ tool: { type: "string", title: "Should the page ask people for a password?" } }, ["tool"]),
      ["no"],
      { tool: "no" },
      [["input", "Which?\nShould the page ask people for a password?"]],
    ],
    [
      "a choice about secrets",
      form({ secret: { type: "string", enum: ["vault", "file"] }, secret_store: { type: "boolean" } }, ["secret"]),
      ["vault", true],
      { secret: "vault", secret_store: true },
      [
        ["select", "Which?\nsecret", ["vault", "file"]],
        ["confirm", "secret_store", "Which?"],
      ],
    ],
    ["no fields", form({}), [true], {}, [["confirm", "Title", "Which?"]]],
    [
      "no properties",
      { message: "Go?", requestedSchema: { type: "object" } },
      [true],
      {},
      [["confirm", "Title", "Go?"]],
    ],
  ])("%s", async (_, params, answers, content, shown) => {
    expect(await ask(params, ...answers)).toEqual({ result: { action: "accept", content }, shown });
  });

  it("ends if it never gets an answer that fits", async () => {
    const { result, shown } = await ask(form({ n: { type: "integer" } }, ["n"]), ...Array(20).fill("x"));
    expect(result).toEqual({ action: "cancel" });
    expect(shown).toHaveLength(20);
  });
});

const nested = JSON.parse(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`) as object;
const KINDS = "must be a string, number, integer, boolean, or an array with choices. Nested fields are not possible.";
const secret = (name: string): string =>
  `the field "${name}" asks for a secret, and answers are stored. Say in your answer where the user can set it.`;

describe("[G9] [S2] a form that is not shown says why", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["nothing", {}, 'it has no "requestedSchema".'],
    ["a list as its schema", { requestedSchema: [] }, 'it has no "requestedSchema".'],
    ["a list of fields", { requestedSchema: { properties: [] } }, '"properties" must be an object.'],
    [
      "a thousand fields",
      form(Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`f${at}`, { type: "boolean" }]))),
      "it has 1000 fields. At most 50 are possible: ask for less.",
    ],
    ["a huge text", { ...form({}), message: "x".repeat(100_000) }, "it has more than 100000 characters. Ask for less."],
    ["fields that are nested too deeply", form({ a: nested }), "it has more than 100000 characters. Ask for less."],
    ["a nested field", form({ a: { type: "object", properties: {} } }), `the field "a" ${KINDS}`],
    ["an unknown type", form({ a: { type: "date" } }), `the field "a" ${KINDS}`],
    ["no type", form({ a: {} }), `the field "a" ${KINDS}`],
    ["a list of types", form({ a: { type: ["string", "null"] } }), `the field "a" ${KINDS}`],
    ["a list without choices", form({ a: { type: "array", items: { type: "string" } } }), `the field "a" ${KINDS}`],
    ["a list of lists", form({ a: { type: "array", items: [["x"]] } }), `the field "a" ${KINDS}`],
    ["a number with choices", form({ a: { type: "number", enum: ["1"] } }), `the field "a" ${KINDS}`],
    ["a field that is a text", form({ a: "string" }), 'the field "a" must be an object.'],
    ["no choices", form({ a: { type: "string", enum: [] } }), 'the field "a" must have a list of 1 to 200 choices.'],
    [
      "too many choices",
      form({ a: { type: "string", enum: Array.from({ length: 201 }, String) } }),
      'the field "a" must have a list of 1 to 200 choices.',
    ],
    ["a choice twice", form({ a: { type: "string", enum: ["x", "x"] } }), 'the field "a" has the same choice twice.'],
    ["choices of numbers", form({ a: { type: "string", enum: [1] } }), 'the choices of the field "a" must be strings.'],
    [
      "choices without values",
      form({ a: { type: "string", oneOf: [{ title: "x" }, null] } }),
      'the choices of the field "a" must be strings.',
    ],
    ["a missing required field", form({}, ["b"]), 'it requires "b", which is not among its fields.'],
    ["a required number", form({}, [7]), 'it requires "7", which is not among its fields.'],
    ["toString as a required field", form({}, ["toString"]), 'it requires "toString", which is not among its fields.'],
    [
      "a key of prototypes",
      form(JSON.parse('{"__proto__":{"type":"string"}}') as object),
      'a field cannot have the name "__proto__".',
    ],
    ["constructor", form({ constructor: { type: "string" } }), 'a field cannot have the name "constructor".'],
    ...["password", "apiKey", "API_KEY", "github-access-token", "clientSecret", "private_key"].map(
      (name): [string, Record<string, unknown>, string] => [name, form({ [name]: { type: "string" } }), secret(name)],
    ),
    ["a title of a secret", form({ a: { type: "string", title: "Your password:" } }), secret("a")],
    ["a hidden field", form({ a: { type: "string", format: "password" } }), secret("a")],
    ["a field that is only written", form({ a: { type: "string", writeOnly: true } }), secret("a")],
    ["a secret of Codex", form({ a: { type: "string", _meta: { codex: { isSecret: true } } } }), secret("a")],
  ])("%s", (_, params, reason) => {
    expect(() => readForm(params)).toThrow(new UnreadableForm(reason));
  });
});
