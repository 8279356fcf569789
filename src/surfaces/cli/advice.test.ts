import { describe, expect, it } from "vitest";
import { type Advised, adviceOn } from "./advice.ts";

const good = {
  name: "get_user",
  description: "Looks up a user by id, for example to greet them.",
  inputSchema: { type: "object", properties: { id: { type: "string", description: "The id" } } },
  file: "/project/.toolwright/tools/get_user.ts",
  place: "project" as const,
  format: "tool" as const,
};

function called(name: string, others: Partial<Advised> = {}): Advised {
  return { ...good, name, ...others };
}

describe("advice on tools", () => {
  it("[U1] is empty for a good tool", () => {
    expect(adviceOn(good, [good, called("get_users", { file: "/project/.toolwright/tools/get_users.ts" })])).toEqual(
      [],
    );
  });

  it("[A7] points to variables that were not replaced", () => {
    const description = `Reads at most \${maxLines} lines, and \${maxLines} more from \${ROOT}. A price of $5 {or less}.`;
    expect(adviceOn({ ...good, description }, [])).toEqual([
      {
        code: "unknown_variable",
        message: `The description contains \${maxLines}, \${ROOT}, and a model reads it like that. Replace it in your code; only \${directory} and \${workspace} are replaced for you.`,
      },
    ]);
  });

  it("[U1] asks for a missing description", () => {
    expect(adviceOn({ ...good, description: " " }, [])).toEqual([
      {
        code: "no_description",
        message: "It has no description. Say what the tool does and when to use it: a model decides by this text.",
      },
    ]);
    expect(adviceOn({ ...good, description: "A user" }, [])).toEqual([
      {
        code: "short_description",
        message: "The description has 6 characters. Say what the tool does and when to use it.",
      },
    ]);
  });

  it("[U1] lists the fields without a description, also nested ones", () => {
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

  it("[U1] warns of names that are almost equal", () => {
    expect(adviceOn(good, [good, called("getUser")])).toEqual([
      {
        code: "ambiguous_name",
        message:
          '"get_user" and "getUser" differ only in case and separators, so a model will mix them up. Rename one.',
      },
    ]);
  });

  it("[U1][A4] mentions a function that returns nothing", () => {
    const silent = { ...good, returnsNothing: true };
    expect(adviceOn(silent, [silent])).toEqual([
      {
        code: "returns_nothing",
        message:
          'Its function has no "return" with a value, so a model gets an empty result. Return a text that says what was done.',
      },
    ]);
  });

  it("[U1] mentions a tool whose file has another name", () => {
    const stats = called("repo_stats", { file: "/project/.omp/tools/statistics/index.ts" });
    expect(adviceOn(stats, [stats])).toEqual([
      {
        code: "name_not_of_file",
        message:
          'The tool "repo_stats" is in the folder "statistics". Rename the folder to "repo_stats", so that people find it.',
      },
    ]);
  });

  it.each([
    ["another case, other separators", called("getUser")],
    ["a named export", called("get_user_by_mail")],
    ["a folder", called("get-user", { file: "/project/.toolwright/tools/get-user/index.ts" })],
    ["a package", called("other", { place: "package" })],
    ["a pi extension", called("other", { format: "pi-extension" })],
    ["an OpenCode plugin", called("other", { format: "opencode-plugin" })],
    ["an extension of Copilot CLI", called("other", { file: "/project/.github/extensions/dice/extension.mjs" })],
    ["a collection", called("other", { file: "/project/.toolwright/tools/my-tools.json" })],
    ["a server", called("github_search", { file: "/project/.mcp.json#github" })],
  ])("[U1] accepts the name of %s", (_what, tool) => {
    expect(adviceOn(tool, [tool])).toEqual([]);
  });

  it("[U1] does not ask a file with several tools to be named like one of them", () => {
    const [one, two] = [called("first"), called("second")];
    expect(adviceOn(one, [one, two])).toEqual([]);
  });
});
