import { expect, it, onTestFinished } from "vitest";
import { guardTerminal } from "./terminal-guard.ts";

it.each<[string, () => unknown, number]>([
  ["the end of the input", () => process.stdin.emit("end"), 129],
  ["an input that cannot be read", () => process.stdin.emit("error", new Error("EIO")), 129],
  ["an output that cannot be written", () => process.stdout.emit("error", new Error("EPIPE")), 129],
  ["SIGHUP", () => process.emit("SIGHUP"), 129],
  ["SIGTERM", () => process.emit("SIGTERM"), 143],
  ["SIGINT", () => process.emit("SIGINT"), 130],
])("[U2] %s ends the chat", (_, happen, code) => {
  const codes: number[] = [];
  const stop = guardTerminal({ restore: () => {}, leave: (each) => codes.push(each), isLeaving: () => false });
  onTestFinished(stop);
  happen();
  expect(codes).toEqual([code]);
});
