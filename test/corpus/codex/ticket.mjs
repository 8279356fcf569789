#!/usr/bin/env node
// A shebang, a top-level await, and things that happen when the file is imported.
import { setTimeout as sleep } from "node:timers/promises";

console.log("ticket: loaded");
process.env.TICKET_PREFIX ??= "T";
await sleep(1);
const started = Date.now();
let next = 1;

export default {
  description: "Draw the next ticket number",
  execute() {
    return `${process.env.TICKET_PREFIX}${next++}${started > 0 ? "" : "?"}`;
  },
};
