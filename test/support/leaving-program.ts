/**
 * A program with a toolbox. Calls the tool of its second argument with the input of its third, prints `done` when the call has
 * ended, and ends in the way that a line on its standard input says. The first argument is the isolation.
 */
import { createToolbox, type ToolboxOptions } from "../../src/index.ts";

const [isolation = "shared", name = "", input = "{}"] = process.argv.slice(2);
const toolbox = await createToolbox({
  isolation: isolation as ToolboxOptions["isolation"] & string,
  trust: true,
  callerIsAsked: true,
});
const run = toolbox.call({ name, input: JSON.parse(input) });
void run.result.then((result) => process.stdout.write(result.ok ? "done\n" : `failed: ${result.error.message}\n`));

const ENDINGS: Record<string, () => unknown> = {
  "closes the toolbox": () => toolbox.close(),
  "calls process.exit": () => process.exit(0),
  "throws an error": () => {
    throw new Error("ours");
  },
  "has nothing more to do": () => process.stdin.destroy(),
  "aborts the call": () => run.abort(),
};

process.stdin.setEncoding("utf8").on("data", (line: string) => void ENDINGS[line.trim()]?.());
