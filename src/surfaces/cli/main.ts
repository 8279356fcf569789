#!/usr/bin/env node
// Parsed by every Node, however old: nothing newer than the check below may be imported before it has been made.
import { VERSION } from "../../core/version.ts";

const OLDEST = [22, 18] as const;

main(process.argv.slice(2));

function main(argv: readonly string[]): void {
  if (isTooOld(process.versions.node)) {
    const needed = OLDEST.join(".");
    process.stderr.write(
      `toolwright needs Node ${needed} or newer, and this is ${process.versions.node} (${process.execPath}). Install a newer Node and try again.\n`,
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
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}
