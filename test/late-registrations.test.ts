import { expect, it } from "vitest";
import { project } from "./support/fixture.ts";
import { PATIENT } from "./support/patient.ts";
import { open } from "./support/toolbox.ts";

/** A plugin of OpenClaw that registers its tools once its first tool was called. */
const PLUGIN = `export default { id: "late", register(api) {
  const add = (name, execute) => api.registerTool({ name, description: name, parameters: { type: "object", properties: {} }, execute });
  add("begin", async () => {
    setTimeout(() => { for (let at = 0; at < 300; at++) add("late_" + at, async () => "done"); }, 50);
    return "begun";
  });
} };`;

it("[D6] [A15] tools that a file registers later in one burst are reported together", { timeout: 60_000 }, async () => {
  const { toolbox, say } = await open(project({ ".openclaw/extensions/late.ts": PLUGIN }));
  let changes = 0;
  toolbox.on("change", () => {
    changes += 1;
  });
  expect(await say("begin", {})).toBe("begun");
  await expect.poll(() => toolbox.list().length, PATIENT).toBe(301);
  expect(changes).toBeLessThan(30);
  expect(await say("late_299", {})).toBe("done");
});
