/**
 * How long a command or server waits for tool files. Nearly all files, even hundreds on a slow machine, load in a fraction of it.
 * Agents give up on a server that has not listed its tools after five to ten seconds.
 */
export const WAIT_MS = 3_000;

/** How long a command about one tool waits for files that may define it: as long as an import may take by default. */
export const TOOL_WAIT_MS = 10_000;
