// A tool of `Tool.define`: its description is in recent-commits.txt, and it reports progress while it runs.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Tool } from "toolwright";
import { z } from "zod";

const parameters = z.object({
  since: z.string().default("1 week ago").describe("The earliest date, as git understands it: 2026-01-31, yesterday"),
});

export default Tool.define("recent-commits", async ({ directory }) => ({
  parameters,
  async execute({ since }: z.infer<typeof parameters>, context) {
    context.metadata({ title: `Reading the commits since ${since}` });
    const { stdout } = await promisify(execFile)("git", ["log", "--oneline", `--since=${since}`], {
      cwd: directory,
      signal: context.abort,
    });
    const count = stdout.split("\n").length - 1;
    return { title: `Commits since ${since}`, metadata: { count }, output: stdout || "No commits." };
  },
}));
