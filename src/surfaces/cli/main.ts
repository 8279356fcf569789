#!/usr/bin/env node
// Old versions of Node parse this file: import nothing newer before the check below.
import { VERSION } from "../../core/version.ts";

const MIN_NODE = [22, 18] as const;

main(process.argv.slice(2));

function main(argv: readonly string[]): void {
  if (isTooOld(process.versions.node)) {
    const needed = MIN_NODE.join(".");
    process.stderr.write(
      `toolwright needs Node ${needed} or newer, but this is Node ${process.versions.node} (${process.execPath}). Install a newer Node.\n`,
    );
    process.exitCode = 2;
    return;
  }
  if (argv[0] === "--version" || argv[0] === "-v") {
    process.stdout.write(argv[1] === "--json" ? `${JSON.stringify({ version: VERSION })}\n` : `${VERSION}\n`);
    return;
  }
  void import("./start-command.ts").then((program) => program.start(argv));
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1]);
}
