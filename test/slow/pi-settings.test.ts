import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sandbox } from "../support/fixture.ts";
import { put } from "../support/temporary.ts";
import { open } from "../support/toolbox.ts";

const extension = (name: string): string => `import { Type } from "typebox";
export default (pi) => pi.registerTool({
  name: "${name}", label: "${name}", description: "Says its name.", parameters: Type.Object({}),
  execute: async () => ({ content: [{ type: "text", text: "${name}" }], details: {} }),
});`;

it("[A8] [D6] extensions of pi follow changes of .pi/settings.json while watching", async () => {
  const at = sandbox();
  const inProject = (path: string): string => join(at.project, path);
  const settings = (value: object): string => put(inProject(".pi/settings.json"), JSON.stringify(value));
  put(inProject("ext/hello.ts"), extension("hello"));
  put(inProject("pack/package.json"), JSON.stringify({ name: "pack", pi: { extensions: ["./src"] } }));
  put(inProject("pack/src/index.ts"), extension("packed"));
  const { toolbox, say } = await open(at);
  onTestFinished(await toolbox.watch());
  const names = () => expect.poll(() => toolbox.list().map(({ name }) => name), { timeout: 20_000 });
  await names().toEqual([]);
  settings({ extensions: ["../ext/hello.ts"] });
  await names().toEqual(["hello"]);
  settings({ extensions: ["../ext"], packages: ["../pack"] });
  await names().toEqual(["hello", "packed"]);
  expect([await say("hello"), await say("packed")]).toEqual(["hello", "packed"]);
  put(inProject("ext/later.ts"), extension("later"));
  await names().toEqual(["hello", "later", "packed"]);
  settings({ packages: ["npm:acme"] });
  await expect.poll(() => toolbox.problems().map(({ code }) => code), { timeout: 20_000 }).toEqual(["plugin_failed"]);
  put(inProject(".pi/npm/node_modules/acme/extensions/acme.ts"), extension("acme"));
  put(inProject(".pi/npm/node_modules/acme/package.json"), "{}");
  await names().toEqual(["acme"]);
  expect([await say("acme"), toolbox.problems()]).toEqual(["acme", []]);
  rmSync(inProject(".pi/settings.json"));
  await names().toEqual([]);
});
