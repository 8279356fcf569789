import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { open } from "../../../test/support/toolbox.ts";
import { announceLogs } from "./announce-logs.ts";

const PRINTING = `export default {
  description: "Prints.",
  args: { times: { type: "number" } },
  execute: ({ times }) => { for (let at = 1; at <= times; at += 1) console.log("line " + at); return "done"; },
};
`;

it("[U2] what a tool prints is shown, and little of much", async () => {
  const { toolbox } = await open({ "printing.js": PRINTING });
  const shown: string[] = [];
  const stop = announceLogs(toolbox, (text) => shown.push(text));
  await toolbox.call({ name: "printing", input: { times: 2 } }).result;
  while (shown.length === 0) await sleep(20);
  expect(shown).toEqual(["line 1\nline 2"]);
  await toolbox.call({ name: "printing", input: { times: 5_000 } }).result;
  while (!shown.some((text) => text.includes("more lines printed."))) await sleep(20);
  await sleep(500);
  stop();
  expect(shown.join("\n").split("\n").length).toBeLessThan(100);
});
