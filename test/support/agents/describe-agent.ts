import { beforeAll, describe, expect, it } from "vitest";
import { ensureBuilt } from "../cli.ts";
import type { Agent } from "./agent.ts";
import { type Story, storyOf } from "./agent-story.ts";
import { DESCRIPTIONS, EITHER } from "./agent-tools.ts";
import { describeTrial } from "./describe-trial.ts";
import { installedAgent } from "./installed-agent.ts";
import { interrupt } from "./interrupted-agent.ts";
import { LAST_WORDS } from "./prepared-agent.ts";
import type { Offered } from "./wire.ts";

/** The agent may take a minute, and our own commands come before and after it. */
const PATIENCE_MS = 120_000;

/** What is true of every agent. `more` is what is true of this one only. */
export async function describeAgent(agent: Agent, more: () => void = () => {}): Promise<void> {
  const missing = await installedAgent(agent.id);

  describe.skipIf(missing)(`[M4] ${agent.name}${missing ? ` (${missing})` : ""}`, () => {
    beforeAll(ensureBuilt);
    describeStory(agent);
    describeTrial(agent);

    it.each([
      ["interrupted", "SIGINT"],
      ["killed", "SIGKILL"],
    ] as const)(
      "[P4] takes all of ours along when it is %s in the middle of a call",
      async (_, signal) => {
        const { ours, left } = await interrupt(agent, signal);
        expect(ours).toEqual(["server", "host", "program of the tool"]);
        expect(left).toEqual([]);
      },
      PATIENCE_MS,
    );

    more();
  });
}

/** One run in which all goes well, looked at from all sides. */
function describeStory(agent: Agent): void {
  describe("installed for the user", () => {
    let story: Story;

    beforeAll(async () => {
      story = await storyOf(agent);
    }, PATIENCE_MS);

    it("talks to the end, and leaves no process behind", () => {
      const { run } = story;
      expect(run, run.stderr).toMatchObject({ code: 0, left: [] });
      expect(run.stdout).toContain(LAST_WORDS);
    });

    it("[M5] shows its model our tools as they are, and alternatives in a form that it can take", () => {
      const names = Object.keys(DESCRIPTIONS).map(agent.named);
      const [first] = story.heard;
      expect(first?.offered.filter(({ name }) => names.includes(name))).toEqual(shown(agent));
    });

    it("runs a tool in the project, with the defaults of its schema", () => {
      expect(story.notes).toBe("Käse\nKäse\n");
    });

    it("tells its model what came of each call, and why one failed", () => {
      const told = story.heard.at(-1)?.answers ?? [];
      const why = "The printer is out of paper: fill it up, then print again.";
      expect(told.map((answer) => ({ ...answer, text: agent.steady?.(answer.text) ?? answer.text }))).toEqual([
        agent.tells({ tool: "note", input: { text: "Käse" }, words: "Added 2 times: Käse" }),
        agent.tells({ tool: "find", input: { text: "Käse" }, words: "Found 2 lines." }),
        agent.tells({ tool: "print", input: {}, words: why, failed: true }),
      ]);
    });

    it("[M3] has its configuration back when we are taken out of it", () => {
      const { before, used, after } = story.config;
      expect(used).toContain("toolwright");
      expect(after).toBe(agent.config.after?.(used) ?? before);
    });
  });
}

function shown({ named, schemas }: Agent): Offered[] {
  const { find, note, print } = DESCRIPTIONS;
  return [
    { name: named("find"), description: `${find}\n\n${EITHER}`, schema: schemas.find },
    { name: named("note"), description: note, schema: schemas.note },
    { name: named("print"), description: print, schema: schemas.print },
  ];
}
