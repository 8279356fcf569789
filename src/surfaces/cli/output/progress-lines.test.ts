import { expect, it } from "vitest";
import type { Update } from "../../../core/events.ts";
import { ProgressLines } from "./progress-lines.ts";
import { StatusLine } from "./status-line.ts";

/** What is printed for the updates of a call that returns `result`. */
function printed(updates: readonly Update[], result: string, isTTY = false): string {
  let text = "";
  const report = (more: string): void => {
    text += more;
  };
  const output = { isTTY, columns: 40, colour: false, unread: 0, isClosed: false, write: report, report };
  const progress = new ProgressLines(new StatusLine(output), isTTY);
  for (const update of updates) progress.add(update);
  progress.end(result);
  return text;
}

const partial = (output: string, title?: string): Update => ({
  ...(title === undefined ? {} : { title }),
  metadata: { output },
});

it.each<[string, readonly Update[], string, string]>([
  ["a title", [{ title: "Working" }], "done", "Working\n"],
  ["partial results", [partial("step 1"), partial("step 2")], "done", "step 1\nstep 2\n"],
  ["the order", [partial("step 1"), { title: "Then" }, partial("step 2")], "done", "step 1\nThen\nstep 2\n"],
  ["nothing that the result repeats", [partial("one"), partial("one\ntwo\n")], "one\ntwo\n", ""],
  ["the title of output that the result repeats", [partial("one", "Lists")], "one\n", "Lists\n"],
  ["a text that is only part of a line of the result", [partial("1")], "11 files", "1\n"],
  ["each text once", [partial("same"), partial("same")], "done", "same\n"],
  ["no empty text", [partial(""), { metadata: { percent: 5 } }], "done", ""],
  ["long texts cut", [partial("x".repeat(600))], "", `${"x".repeat(499)}…\n`],
])("[P6] prints %s", (_, updates, result, text) => {
  expect(printed(updates, result)).toBe(text);
});

it("[P6] prints a limited number of lines", () => {
  const updates = Array.from({ length: 500 }, (_, at) => partial(`step ${at}`));
  expect(printed(updates, "").split("\n")).toHaveLength(101);
});

it("[P6] rewrites one line on a terminal", () => {
  expect(printed([partial("one"), partial("one\ntwo")], "one\ntwo", true)).toBe("\r\x1b[Kone\r\x1b[Ktwo");
});
