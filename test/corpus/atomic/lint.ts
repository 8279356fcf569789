// Starts a process and passes the abort signal on.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { tool } from "@atomic/plugin";

const run = promisify(execFile);

export default tool({
  description: "Check that a piece of JavaScript parses",
  args: { code: tool.schema.string().describe("The code") },
  async execute(args, context) {
    try {
      await run(process.execPath, ["--eval", `new Function(${JSON.stringify(args.code)})`], {
        cwd: context.directory,
        signal: context.abort,
      });
      return "ok";
    } catch (error) {
      const { stderr } = error as { stderr?: string };
      return `not ok: ${stderr?.match(/SyntaxError: .*/)?.[0] ?? error}`;
    }
  },
});
