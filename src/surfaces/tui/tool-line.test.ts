import { describe, expect, it } from "vitest";
import { open } from "../../../test/support/toolbox.ts";
import { readToolLine } from "./tool-line.ts";

const TOOLS = [
  {
    name: "deploy",
    description: "Deploys.",
    parameters: {
      type: "object",
      properties: {
        target: { type: "string", enum: ["staging", "production"] },
        note: { type: "string" },
        count: { type: "integer" },
        tags: { type: "array", items: { type: "string" } },
        force: { type: "boolean" },
        options: { type: "object", properties: { depth: { type: "number" } } },
      },
      required: ["target"],
    },
    handler: () => "deployed",
  },
  { name: "status", description: "Says the status.", parameters: { type: "object" }, handler: () => "fine" },
];

describe("a call of a tool that is typed in the chat", () => {
  it("[U3] converts fields by the schema of the tool, and says what to do if it cannot", async () => {
    const { toolbox } = await open({}, { tools: TOOLS });
    expect(toolbox.list().map(({ name }) => name)).toEqual(["deploy", "status"]);
    const read = async (line: string): Promise<unknown> => {
      const found = await readToolLine(line, toolbox);
      return found.kind === "call" ? { [found.name]: found.input } : found.message;
    };
    expect(await read("!status")).toEqual({ status: {} });
    expect(await read('!deploy target=staging note="two words" count=3 tags=[1,2] force options.depth=1.5')).toEqual({
      deploy: {
        target: "staging",
        note: "two words",
        count: 3,
        tags: [1, 2],
        force: true,
        options: { depth: 1.5 },
      },
    });
    expect(await read("!deploy target=staging tags=a tags=b no-force note=")).toEqual({
      deploy: { target: "staging", tags: ["a", "b"], force: false, note: "" },
    });
    expect(await read('! deploy {"target": "staging", "count": 1}')).toEqual({
      deploy: { target: "staging", count: 1 },
    });

    expect(await read("!")).toBe("Name a tool, as in: !NAME field=value. To list the tools: /tools");
    expect(await read("!deply target=staging")).toBe('There is no tool "deply". Did you mean "deploy"?');
    expect(await read("!deploy note=x")).toBe('"deploy" needs target ("staging" | "production"). Add: target=…');
    expect(await read("!deploy targt=staging")).toBe('There is no field targt. Did you mean "target"?');
    expect(await read("!deploy forc target=staging")).toBe('There is no field forc. Did you mean "force"?');
    expect(await read("!deploy target=staging count=many")).toBe('count takes integer, not "many".');
    expect(await read("!deploy target=staging note")).toBe("note needs a value (string).");
    expect(await read("!deploy target=a target=b")).toBe("target was given 2 times; it takes one value.");
    expect(await read("!deploy production")).toBe(
      '"production" belongs to no field. Write field=value, as in: !deploy target=production',
    );
    expect(await read('!deploy "x y"')).toBe(
      '"x y" belongs to no field. Write field=value, as in: !deploy target="x y"',
    );
    expect(await read("!deploy target=[1")).toBe("The bracket [ is not closed. Add ] at the end of the value.");
    expect(await read('!deploy {"target": }')).toMatch(
      /^The input is not valid JSON: .*\. Fix it, or write fields: field=value$/,
    );
  });

  it("[U3] says what to do about a tool that takes no arguments", async () => {
    const { toolbox } = await open({
      "now.ts": "export default { description: 'Says the time.', args: {}, execute: () => 'noon' };",
    });
    expect(await readToolLine("!now please", toolbox)).toEqual({
      kind: "refused",
      message: '"now" takes no arguments. Type only: !now',
    });
  });
});
