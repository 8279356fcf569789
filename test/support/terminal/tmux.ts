import { type FoundProgram, findDebianProgram } from "../debian-program.ts";

const found: FoundProgram = await findDebianProgram("tmux", ["tmux"]);

/** Why the tests in a terminal are skipped, if they are. */
export const missing: string | undefined = found.missing;

/** For the title of a group of tests: says why it is skipped. */
export const skipped: string = missing === undefined ? "" : ` (${missing})`;
