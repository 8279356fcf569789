import { beforeAll, describe, expect, it } from "vitest";
import type { Agent, Called } from "./agent.ts";
import { COUNTED, SECRET, type Trial, trialOf } from "./agent-trial.ts";
import { FINAL_MESSAGE } from "./prepared-agent.ts";
import { DOT, LOG, TRIAL_TOOLS } from "./trial-tools.ts";
import type { Answer } from "./wire.ts";

/** A minute for the agent, plus the commands before and after it. */
const TIMEOUT_MS = 120_000;

const MISTAKEN = `The input for "find" is not valid:
- input: matches none of the allowed forms: (1) /text is required, expected string; (2) /line is required, expected number
Correct it and call the tool again.`;

const DENIED =
  '"look" was not allowed to run. The tool "look" reading "PROJECT/secrets/key.txt" is denied by the user\'s rule ' +
  '{"tool":"look","match":"secrets","action":"deny"}. Do not retry it in another form. Find another way, or tell the user which rule denies it.';

/** Tests of one run with broken files and failing calls. */
export function describeTrial(agent: Agent): void {
  describe("installed for a project with broken files and failing calls", () => {
    let trial: Trial;

    beforeAll(async () => {
      trial = await trialOf(agent);
    }, TIMEOUT_MS);

    it("[M3] uses the project's configuration only", () => {
      const { run, config } = trial;
      expect(run, run.stderr).toMatchObject({ code: 0, left: [] });
      expect(run.stdout).toContain(FINAL_MESSAGE);
      expect(config.user).not.toContain("cli.mjs");
      expect(config.project).toBe(agent.config.projectAfter);
    });

    it("[D5] shows its model every valid tool, despite a file that does not parse and one that never loads", () => {
      const names = TRIAL_TOOLS.map((name) => agent.named(name.length === 64 ? agent.longName : name)).sort();
      const [first] = trial.heard;
      const ours = first?.offered
        .map(({ name }) => name)
        .filter((name) => name.startsWith(agent.named("")) && !agent.ownTools?.includes(name));
      expect(ours?.sort()).toEqual(names);
      expect(trial.told.noted).toEqual(told("note", { text: "Käse" }, "Added 2 times: Käse"));
    });

    it("[M5] shows and calls a tool with the longest name, a reference and type lists", () => {
      const name = agent.named(agent.longName);
      const [first] = trial.heard;
      expect(first?.offered.find((each) => each.name === name)?.schema).toEqual(agent.schemas.count);
      expect(trial.told.counted).toEqual(told(agent.longName, COUNTED, 'Counted null up to "3".'));
    });

    it("[P2] passes input errors to its model", () => {
      expect(trial.told.mistaken).toEqual(told("find", {}, MISTAKEN, true));
    });

    it("[P3] shows its model which rule denied a call, and that a question was not answered", () => {
      expect(trial.told.denied).toEqual(told("look", SECRET, DENIED, true));
      const asked = `"publish" was not allowed to run. ${agent.unanswered}`;
      expect(trial.told.asked).toEqual(told("publish", {}, asked, true));
    });

    it(`[P9] ${agent.passesImages ? "passes an image to its model" : "drops an image and passes its text to the model"}`, () => {
      expect(trial.told.drawn.text).toContain("Here it is.");
      expect(trial.heard.at(-1)?.pictures).toEqual(agent.passesImages ? [DOT, DOT] : []);
    });

    it("[P9] describes an image without text to its model", () => {
      expect(trial.told.sketched.text).toContain(
        "[image, image/png, 70 bytes: attached. If you cannot see it, tell the user.]",
      );
    });

    it("[P7] shows its model the path of the full output of a truncated result", () => {
      expect(trial.told.logged.text).toContain("step 2000\n");
      expect(trial.told.logged.text).not.toContain("step 2001");
      expect(trial.whole).toBe(LOG);
    });
  });

  function told(tool: string, input: object, words: string, failed = false): Answer {
    const call: Called = { tool, input, words, ...(failed ? { failed } : {}) };
    return agent.resultFor(call);
  }
}
