import { beforeAll, describe, expect, it } from "vitest";
import type { Agent, Called } from "./agent.ts";
import { COUNTED, SECRET, type Trial, trialOf } from "./agent-trial.ts";
import { LAST_WORDS } from "./prepared-agent.ts";
import { DOT, LOG, TRIAL_TOOLS } from "./trial-tools.ts";
import type { Answer } from "./wire.ts";

/** The agent may take a minute, and our own commands come before and after it. */
const PATIENCE_MS = 120_000;

const MISTAKEN = `The input for "find" is not valid:
- input: matches none of the allowed forms: (1) /text is required, expected string; (2) /line is required, expected number
Correct it and call the tool again.`;

const DENIED =
  '"look" was not allowed to run. The tool "look" reading "PROJECT/secrets/key.txt" is denied by the user\'s rule ' +
  '{"tool":"look","match":"secrets","action":"deny"}. Do not try it again in other words: find another way, or tell the user which rule stands in the way.';

/** What is true of every agent when much goes wrong: one run, looked at from all sides. */
export function describeTrial(agent: Agent): void {
  describe("installed for a project, in which files are broken and calls go wrong", () => {
    let trial: Trial;

    beforeAll(async () => {
      trial = await trialOf(agent);
    }, PATIENCE_MS);

    it("[M3] finds us in the project's configuration, and only there", () => {
      const { run, config } = trial;
      expect(run, run.stderr).toMatchObject({ code: 0, left: [] });
      expect(run.stdout).toContain(LAST_WORDS);
      expect(config.user).not.toContain("cli.mjs");
      expect(config.project).toBe(agent.config.projectAfter);
    });

    it("[D5] shows its model every good tool, beside a file that does not parse and one that never loads", () => {
      const names = TRIAL_TOOLS.map((name) => agent.named(name.length === 64 ? agent.longName : name)).sort();
      const [first] = trial.heard;
      const ours = first?.offered.map(({ name }) => name).filter((name) => name.startsWith(agent.named("")));
      expect(ours?.sort()).toEqual(names);
      expect(trial.told.noted).toEqual(told("note", { text: "Käse" }, "Added 2 times: Käse"));
    });

    it("[M5] shows and calls a tool with the longest of names, a reference and lists of types", () => {
      const name = agent.named(agent.longName);
      const [first] = trial.heard;
      expect(first?.offered.find((each) => each.name === name)?.schema).toEqual(agent.schemas.count);
      expect(trial.told.counted).toEqual(told(agent.longName, COUNTED, 'Counted null up to "3".'));
    });

    it("[P2] tells its model what is wrong with an input", () => {
      expect(trial.told.mistaken).toEqual(told("find", {}, MISTAKEN, true));
    });

    it("[P3] tells its model which rule denies a call, and what comes of a question that nobody answers", () => {
      expect(trial.told.denied).toEqual(told("look", SECRET, DENIED, true));
      const asked = `"publish" was not allowed to run. ${agent.leftAlone}`;
      expect(trial.told.asked).toEqual(told("publish", {}, asked, true));
    });

    it(`[P9] ${agent.passesPictures ? "passes a picture on to its model" : "keeps a picture from its model, and passes on the text with it"}`, () => {
      expect(trial.told.drawn.text).toContain("Here it is.");
      expect(trial.heard.at(-1)?.pictures).toEqual(agent.passesPictures ? [DOT, DOT] : []);
    });

    it("[P9] tells its model of a picture that comes without a word", () => {
      expect(trial.told.sketched.text).toContain(
        "[image, image/png, 70 bytes: attached. If you cannot see it, tell the user.]",
      );
    });

    it("[P7] tells its model where the whole of an output is that was cut", () => {
      expect(trial.told.logged.text).toContain("step 2000\n");
      expect(trial.told.logged.text).not.toContain("step 2001");
      expect(trial.whole).toBe(LOG);
    });
  });

  function told(tool: string, input: object, words: string, failed = false): Answer {
    const call: Called = { tool, input, words, ...(failed ? { failed } : {}) };
    return agent.tells(call);
  }
}
