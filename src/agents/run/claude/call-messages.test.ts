import { expect, it } from "vitest";
import { CallMessages } from "./call-messages.ts";

it("[G1] a call waits until its message is handled, whichever comes first", async () => {
  const calls = new CallMessages();
  const order: string[] = [];
  const early = calls.messageOf("c1").then((messageID) => order.push(`c1 of ${messageID}`));
  calls.add("c1", "m1");
  calls.add("c2", "m1");
  await Promise.resolve();
  order.push("handled");
  calls.release();
  await early;
  expect(order).toEqual(["handled", "c1 of m1"]);
  expect(await calls.messageOf("c2")).toBe("m1");
});

it("[G1] the end of the turn lets waiting calls go on, which are then aborted", async () => {
  const calls = new CallMessages();
  const waiting = calls.messageOf("c1");
  calls.close();
  expect(await waiting).toBeUndefined();
  expect(await calls.messageOf("c2")).toBeUndefined();
});
