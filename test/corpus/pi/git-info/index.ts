// A folder with a sibling, without an extension and as .js; commands are run with the call's signal.
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { asLines } from "./lines";
import { PREFIX } from "./prefix.js";

export default async function gitInfo(pi: ExtensionAPI) {
  const { stdout } = await pi.exec("git", ["--version"], { timeout: 5000 });
  const version = stdout.trim();

  pi.registerTool({
    name: "git_info",
    label: "Git info",
    description: `Runs a read-only git command. (${version})`,
    parameters: Type.Object({
      command: Type.Union([Type.Literal("status"), Type.Literal("branch"), Type.Literal("version")]),
    }),
    async execute(_toolCallId, params, signal, _onUpdate, ctx) {
      const args = { status: ["status", "--short"], branch: ["branch"], version: ["--version"] }[params.command];
      const { stdout, stderr, code, killed } = await pi.exec("git", args, { signal, cwd: ctx.cwd });
      if (killed) throw new Error("git was stopped");
      if (code !== 0) return { content: [{ type: "text", text: stderr || `git ended with ${code}` }], isError: true };
      return { content: [{ type: "text", text: asLines(PREFIX, stdout) }], details: { code } };
    },
  });
}
