import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toCopilotTools } from "../../src/surfaces/libraries/index.ts";
import { writeTool } from "../support/fixture.ts";
import { open } from "../support/toolbox.ts";

describe("[G8] the tools of a library", () => {
  it("never run another tool under the same name, and say that a tool is gone", async () => {
    const { at, toolbox } = await open({
      "time.js": 'export default { description: "Tells the time.", execute: () => "noon" };',
    });
    const [tool] = toCopilotTools(toolbox);
    expect(await tool?.handler({})).toMatchObject({ textResultForLlm: "noon", resultType: "success" });
    rmSync(join(at.tools, "time.js"));
    await toolbox.reload();
    expect(await tool?.handler({})).toMatchObject({
      textResultForLlm: expect.stringContaining('There is no tool "time".'),
      resultType: "failure",
    });
    writeTool(
      at,
      "clock.js",
      '/** @type {import("toolwright").CustomToolFactory} */\nexport default () => ({ name: "time", label: "Time", description: "Tells another time.", parameters: { type: "object", properties: {} }, execute: async () => ({ content: [{ type: "text", text: "midnight" }] }) });',
    );
    await toolbox.reload();
    expect(toolbox.list().map(({ name }) => name)).toEqual(["time"]);
    expect(await tool?.handler({})).toMatchObject({
      textResultForLlm:
        '"time" was not run: it has been replaced by another tool since the model was given its description.',
      resultType: "failure",
    });
  });
});
