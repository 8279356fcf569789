import { join } from "node:path";
import { expect, it } from "vitest";
import { CLAUDE_CODE } from "../../support/agents/claude-code.ts";
import { describeAgent } from "../../support/agents/describe-agent.ts";
import { withAgent } from "../../support/agents/prepared-agent.ts";
import { TRIAL_FILES } from "../../support/agents/trial-tools.ts";
import { put } from "../../support/temporary.ts";

/** A minute for the agent, plus the commands before it. */
const TIMEOUT_MS = 90_000;

/** A Claude Code hook that answers elicitations with the first choice. */
const HOOK = `import { text } from "node:stream/consumers";

const { requested_schema } = JSON.parse(await text(process.stdin));
const [answer] = requested_schema.properties.answer.enum;
const hookSpecificOutput = { hookEventName: "Elicitation", action: "accept", content: { answer } };
console.log(JSON.stringify({ hookSpecificOutput }));
`;

await describeAgent(CLAUDE_CODE, () => {
  it(
    "[M2] [P3] asks its user if a rule has the action ask, and runs the tool after approval",
    async () => {
      const { "publish.ts": publish = "" } = TRIAL_FILES;
      const settings = { permissions: [{ tool: "publish", action: "ask" }] };
      const scene = { files: { "publish.ts": publish }, settings, calls: [["publish", {}]] } as const;
      const { run, heard } = await withAgent(CLAUDE_CODE, scene, async ({ at, run: runIt, heard: all }) => {
        const command = `"${process.execPath}" "${put(join(at.home, "hook.mjs"), HOOK)}"`;
        const hooks = { Elicitation: [{ hooks: [{ type: "command", command }] }] };
        put(join(at.home, ".claude/settings.json"), JSON.stringify({ hooks }));
        return { run: await runIt(), heard: all };
      });
      expect(run, run.stderr).toMatchObject({ code: 0, left: [] });
      expect(heard.at(-1)?.answers.map(({ text }) => CLAUDE_CODE.normalize?.(text))).toEqual(["Published."]);
    },
    TIMEOUT_MS,
  );
});
