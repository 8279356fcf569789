import { beforeAll, describe, expect, it } from "vitest";
import { ensureBuilt } from "../cli.ts";
import type { Agent } from "./agent.ts";
import { type Story, storyOf } from "./agent-story.ts";
import { DESCRIPTIONS, EITHER } from "./agent-tools.ts";
import { describeTrial } from "./describe-trial.ts";
import { installedAgent } from "./installed-agent.ts";
import { interrupt } from "./interrupted-agent.ts";
import { FINAL_MESSAGE, withAgent } from "./prepared-agent.ts";
import type { Offered } from "./wire.ts";

/** A minute for the agent, plus the commands before and after it. */
const TIMEOUT_MS = 120_000;

/** Tests for every agent. `more` adds tests for this one. */
export async function describeAgent(agent: Agent, more: () => void = () => {}): Promise<void> {
  const missing = await installedAgent(agent.folder ?? agent.id);

  describe.skipIf(missing)(`[M4] ${agent.name}${missing ? ` (${missing})` : ""}`, () => {
    beforeAll(ensureBuilt);
    describeStory(agent);
    describeTrial(agent);
    describeCalling(agent);

    it.each([
      ["interrupted", "SIGINT"],
      ["killed", "SIGKILL"],
    ] as const)(
      "[P4] leaves no process behind when it is %s during a call",
      async (_, signal) => {
        const { ours, left } = await interrupt(agent, signal);
        expect(ours).toEqual(["server", "host", "program of the tool"]);
        expect(left).toEqual([]);
      },
      TIMEOUT_MS,
    );

    more();
  });
}

/** Tests of the first request to the model, with the agent's own defaults. */
function describeCalling(agent: Agent): void {
  const { hidesWith } = agent;
  if (hidesWith)
    it(
      "[M6] hides the tools from its model after install --defer, and not otherwise",
      async () => {
        const [deferred, loaded] = [await firstOffer(agent, ["--defer"]), await firstOffer(agent, [])];
        const ours = [...Object.keys(DESCRIPTIONS), ...Object.keys(hidesWith).map((file) => file.slice(0, -3))];
        expect(deferred).toEqual([]);
        expect(loaded).toEqual(ours.map(agent.named).sort());
      },
      2 * TIMEOUT_MS,
    );

  it(
    "[M6] shows its model why tools are missing, and gets the command that trusts the project",
    async () => {
      const scene = { trusted: false, calls: [["toolwright-status", {}]] } as const;
      const { first, told, project } = await withAgent(agent, scene, async ({ at, heard, run }) => {
        await run();
        return { first: heard[0]?.offered, told: heard.at(-1)?.answers[0]?.text, project: at.project };
      });
      const status = first?.find(({ name }) => name === agent.named("toolwright-status"));
      expect(status?.description).toBe(
        `The tools of ${project} are missing, because the user has not trusted this project. Call this tool for the details, and tell the user.`,
      );
      expect(told).toContain(`  toolwright trust --cwd ${project}\n`);
    },
    TIMEOUT_MS,
  );
}

/** The names of our tools in the first request to the model. */
function firstOffer(agent: Agent, install: readonly string[]): Promise<string[] | undefined> {
  const scene = { files: agent.hidesWith ?? {}, install, calls: [] };
  return withAgent(agent, scene, async ({ heard, run }) => {
    await run();
    const [first] = heard;
    return first?.offered
      .map(({ name }) => name)
      .filter((name) => name.startsWith(agent.named("")))
      .sort();
  });
}

/** Tests of one successful run. */
function describeStory(agent: Agent): void {
  describe("installed for the user", () => {
    let story: Story;

    beforeAll(async () => {
      story = await storyOf(agent);
    }, TIMEOUT_MS);

    it("finishes the conversation and leaves no process behind", () => {
      const { run } = story;
      expect(run, run.stderr).toMatchObject({ code: 0, left: [] });
      expect(run.stdout).toContain(FINAL_MESSAGE);
    });

    it("[M6] calls a tool in the first turn", () => {
      expect(story.heard.map(({ answers }) => answers.length)).toEqual([0, 1, 2, 3]);
    });

    it("[M5] shows its model the tools, with alternatives in a form that it accepts", () => {
      const names = Object.keys(DESCRIPTIONS).map(agent.named);
      const [first] = story.heard;
      expect(first?.offered.filter(({ name }) => names.includes(name))).toEqual(shown(agent));
    });

    it("runs a tool in the project with the defaults of its schema", () => {
      expect(story.notes).toBe("Käse\nKäse\n");
    });

    it("passes results and error messages to its model", () => {
      const told = story.heard.at(-1)?.answers ?? [];
      const why = "The printer is out of paper: fill it up, then print again.";
      expect(told.map((answer) => ({ ...answer, text: agent.normalize?.(answer.text) ?? answer.text }))).toEqual([
        agent.resultFor({ tool: "note", input: { text: "Käse" }, words: "Added 2 times: Käse" }),
        agent.resultFor({ tool: "find", input: { text: "Käse" }, words: "Found 2 lines." }),
        agent.resultFor({ tool: "print", input: {}, words: why, failed: true }),
      ]);
    });

    it("[M3] has its old configuration after uninstall", () => {
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
