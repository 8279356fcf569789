/**
 * How long tool files are waited for by whoever must answer. Nearly all are read in a fraction of this, also hundreds of them
 * on a slow machine; and agents give up a server that has not listed its tools after five to ten seconds.
 */
export const WAIT_MS = 3_000;
