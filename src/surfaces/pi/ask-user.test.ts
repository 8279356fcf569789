import { describe, expect, it } from "vitest";
import { askUser } from "./ask-user.ts";

type Shown = readonly unknown[];

/** Answers the dialogs in order, and records them. */
async function ask(params: object, ...answers: unknown[]): Promise<{ result: object; shown: Shown[] }> {
  const shown: Shown[] = [];
  const dialog =
    (kind: string) =>
    async (...args: unknown[]): Promise<never> => {
      shown.push([kind, ...args]);
      return answers.shift() as never;
    };
  const result = await askUser(params as Record<string, unknown>, {
    select: dialog("select"),
    confirm: dialog("confirm"),
    input: dialog("input"),
    notify: (...args) => void shown.push(["notify", ...args]),
  });
  return { result, shown };
}

const form = (properties: object, required: string[] = []): object => ({
  message: "Which?",
  requestedSchema: { type: "object", properties, required },
});

describe("[M3] a question of the server in pi", () => {
  it.each<[string, object, unknown[], object, Shown[]]>([
    [
      "a choice: only required fields are asked",
      form({ answer: { type: "string", title: "Allow it?", enum: ["once", "no"] }, reason: { type: "string" } }, [
        "answer",
      ]),
      ["once"],
      { action: "accept", content: { answer: "once" } },
      [["select", "Which?\nAllow it?", ["once", "no"]]],
    ],
    [
      "a choice with titles",
      form({
        size: {
          oneOf: [
            { const: "s", title: "Small" },
            { const: "l", title: "Large" },
          ],
        },
      }),
      ["Large"],
      { action: "accept", content: { size: "l" } },
      [["select", "Which?\nsize", ["Small", "Large"]]],
    ],
    [
      "a closed dialog",
      form({ answer: { type: "string", enum: ["yes"] } }),
      [undefined],
      { action: "cancel" },
      [["select", "Which?\nanswer", ["yes"]]],
    ],
    [
      "yes or no",
      form({ sure: { type: "boolean", description: "Are you sure?" } }),
      [false],
      { action: "accept", content: { sure: false } },
      [["confirm", "Are you sure?", "Which?"]],
    ],
    [
      "a text and a number, which is asked again",
      form({ name: { type: "string", default: "Ann" }, age: { type: "integer" } }),
      ["Bob", "1.5", "7"],
      { action: "accept", content: { name: "Bob", age: 7 } },
      [
        ["input", "Which?\nname", "Ann"],
        ["input", "Which?\nage", undefined],
        ["notify", "1.5 is not an integer.", "warning"],
        ["input", "Which?\nage", undefined],
      ],
    ],
    [
      "several of a list",
      form({ days: { type: "array", items: { type: "string", enum: ["mo", "tu", "we"] } } }),
      ["we, mo"],
      { action: "accept", content: { days: ["mo", "we"] } },
      [["input", "Which?\ndays\nSeparate them by commas: mo, tu, we"]],
    ],
    ["no field, refused", form({}), [false], { action: "decline" }, [["confirm", "Toolwright", "Which?"]]],
    ["no field, accepted", form({}), [true], { action: "accept", content: {} }, [["confirm", "Toolwright", "Which?"]]],
  ])("%s", async (_what, params, answers, result, shown) => {
    expect(await ask(params, ...answers)).toEqual({ result, shown });
  });
});
