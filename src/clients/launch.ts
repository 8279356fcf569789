import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { readMcpEntry } from "../discovery/mcp-entry.ts";
import type { Entry, Launch } from "./client.ts";

/** An entry in the words that most programs share. */
export function commandAndArgs({ command, args }: Launch): Entry {
  return { command, args };
}

/** The command line that an entry starts; empty where it starts nothing, or not in words that are known. */
export function wordsOf(entry: unknown): string[] {
  if (typeof entry !== "object" || entry === null) return [];
  const { command, args } = entry as Entry;
  const words: unknown[] = [command ?? [], args ?? []].flat();
  return words.every((word) => typeof word === "string") ? words : [];
}

/** Whether an entry starts us: this copy, or another one. */
export function startsUs(entry: unknown, { args: [cli] }: Launch): boolean {
  if (wordsOf(entry)[1] === cli) return true;
  // A name that decides nothing: one who is called as we are need not be us.
  return readMcpEntry("", entry, { folder: "/", home: "/", env: {} }).kind === "ourselves";
}

/** The files that a command line of ours needs and that are gone. */
export function missingFiles([command = "", cli = ""]: readonly string[]): string[] {
  return [command, cli].filter((file) => isAbsolute(file) && !existsSync(file));
}
