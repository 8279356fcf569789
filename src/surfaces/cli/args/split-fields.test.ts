import { describe, expect, it } from "vitest";
import { GLOBAL_OPTIONS } from "./command.ts";
import { splitFields } from "./split-fields.ts";

const options = { ...GLOBAL_OPTIONS, input: { type: "string", help: "" } } as const;

function split(...args: string[]): unknown {
  return splitFields(args, options);
}

describe("separating Toolwright's options from the fields of the tool", () => {
  it("[U1] treats every unknown option as a field", () => {
    expect(split("lint", "--filePath", "a.ts", "--json", "--fix", "--cwd", "/x", "--n=1")).toEqual({
      own: ["lint", "--json", "--cwd", "/x"],
      fields: [{ name: "filePath", value: "a.ts" }, { name: "fix" }, { name: "n", value: "1" }],
    });
  });

  it("[U1] accepts a value that begins with one dash, or with two after an equals sign", () => {
    expect(split("t", "--offset", "-5", "--flag=--x", "--end")).toEqual({
      own: ["t"],
      fields: [{ name: "offset", value: "-5" }, { name: "flag", value: "--x" }, { name: "end" }],
    });
  });

  it("[U1] treats everything after -- as fields", () => {
    expect(split("t", "--json", "--", "--json", "--input", "x")).toEqual({
      own: ["t", "--json"],
      fields: [{ name: "json" }, { name: "input", value: "x" }],
    });
  });
});
