import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { LoggedQuestion, QuestionAnswer } from "../../core/question.ts";
import { ShownQuestion } from "./shown-question.ts";

const question = (questionID: string): LoggedQuestion => ({
  ...{ questionID, callID: "c", tool: "t", agent: "a", reason: "Sure?" },
  ...{ kind: "permission", input: {}, access: [], choices: ["once"], rules: [], settingsFile: "/s" },
});

/** The questions of a session, and what is shown of them. */
function world() {
  const log: string[] = [];
  const state = { open: [] as LoggedQuestion[], isTyping: false, isTaken: true };
  const opened = Promise.withResolvers<void>();
  let give: (given: QuestionAnswer) => void = () => {};
  const shown = new ShownQuestion({
    questions: () => state.open,
    isTyping: () => state.isTyping,
    open: ({ questionID }, answer) => {
      log.push(`open ${questionID}`);
      give = answer;
      opened.resolve();
      return () => log.push(`close ${questionID}`);
    },
    answer: async () => state.isTaken,
  });
  return { log, state, shown, opened: opened.promise, answer: () => give({ allowed: true }) };
}

it("[U2] shows the oldest question, and closes it when it is answered elsewhere", () => {
  const { log, state, shown } = world();
  state.open = [question("1"), question("2")];
  shown.update();
  shown.update();
  state.open = [question("2")];
  shown.update();
  state.open = [];
  shown.update();
  expect(log).toEqual(["open 1", "close 1", "open 2", "close 2"]);
});

it("[U2] waits until the user pauses, then ignores the next keys, but not Escape and Ctrl-C", async () => {
  const { log, state, shown, opened } = world();
  state.isTyping = true;
  expect(shown.pressed("a")).toBe(false);
  state.open = [question("1")];
  shown.update();
  expect(log).toEqual([]);
  await opened;
  expect(log).toEqual(["open 1"]);
  expect(shown.pressed("y")).toBe(true);
  expect(shown.pressed("\r")).toBe(true);
  expect(shown.pressed("\x1b")).toBe(false);
  expect(shown.pressed("\x03")).toBe(false);
  await sleep(400);
  expect(shown.pressed("y")).toBe(false);
});

it("[U5] a dialog of a tool takes the next key", () => {
  const { state, shown } = world();
  state.open = [{ ...question("1"), kind: "dialog", method: "confirm" }];
  shown.update();
  expect(shown.pressed("y")).toBe(false);
});

it("[U2] asks again if the answer was not taken", async () => {
  const { log, state, shown, answer } = world();
  state.open = [question("1")];
  state.isTaken = false;
  shown.update();
  answer();
  await sleep(0);
  expect(log).toEqual(["open 1", "open 1"]);
});
