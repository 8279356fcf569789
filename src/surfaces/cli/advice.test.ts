import { describe, expect, it } from "vitest";
import { adviceOn } from "./advice.ts";

const good = {
  name: "get_user",
  description: "Looks up a user by id, for example to greet them.",
  inputSchema: { type: "object", properties: { id: { type: "string", description: "The id" } } },
};

describe("advice on tools", () => {
  it("[U1] has nothing to say about a good one", () => {
    expect(adviceOn(good, ["get_user", "get_users"])).toEqual([]);
  });

  it("[U1] asks for a description", () => {
    expect(adviceOn({ ...good, description: " " }, [])).toEqual([
      {
        code: "no_description",
        message: "It has no description. Say what the tool does and when to use it: a model has nothing else to go by.",
      },
    ]);
    expect(adviceOn({ ...good, description: "A user" }, [])).toEqual([
      {
        code: "short_description",
        message: "The description has 6 characters. Say what the tool does and when to use it.",
      },
    ]);
  });

  it("[U1] names the fields that have no description, the inner ones too", () => {
    const inputSchema = {
      type: "object",
      properties: {
        bare: { type: "string" },
        list: { type: "array", description: "Items", items: { type: "object", properties: { x: { type: "number" } } } },
        linked: { $ref: "#/$defs/described" },
      },
      $defs: { described: { type: "string", description: "Said elsewhere" } },
    };
    expect(adviceOn({ ...good, inputSchema }, [])).toEqual([
      {
        code: "undescribed_field",
        message: 'The field "bare" has no description. Say what it is, with an example where that helps.',
        field: "bare",
      },
      {
        code: "undescribed_field",
        message: 'The field "list[].x" has no description. Say what it is, with an example where that helps.',
        field: "list[].x",
      },
    ]);
  });

  it("[U1] warns of names that are almost the same", () => {
    expect(adviceOn(good, ["get_user", "getUser"])).toEqual([
      {
        code: "ambiguous_name",
        message:
          '"get_user" and "getUser" differ only in case and separators, so a model will mix them up. Rename one.',
      },
    ]);
  });
});
