import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createToolbox, outputOf } from "../../dist/index.mjs";

/**
 * Repeatedly edits, reloads and calls a tool, in a separate process that does nothing else. Prints one
 * line of JSON: memory samples of both processes, and the first wrong result, if any.
 */
const [project, times] = [process.argv[2], Number(process.argv[3])];
const file = join(project, ".toolwright/tools/edited.ts");
const toolbox = await createToolbox({ cwd: project, trust: true });
const samples = [];
let wrong;

for (let i = 1; i <= times && !wrong; i += 1) {
  writeFileSync(
    file,
    `import { base } from "./lib/base";
    export default { description: "Edit ${i}.", execute: () => JSON.stringify([base + ${i}, process.memoryUsage.rss()]) };`,
  );
  await toolbox.reload();
  const output = outputOf(await toolbox.call({ name: "edited" }).result);
  const [answer, hostRss] = output.startsWith("[") ? JSON.parse(output) : [output];
  if (answer !== 1000 + i || toolbox.get("edited")?.description !== `Edit ${i}.`)
    wrong = { i, output, problems: toolbox.problems() };
  if (i % (times / 20) === 0) {
    globalThis.gc();
    const { heapUsed, rss } = process.memoryUsage();
    samples.push({ i, heapUsed, rss, hostRss });
  }
}
await toolbox.close();
console.log(JSON.stringify({ wrong, samples }));
