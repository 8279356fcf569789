import { fileURLToPath } from "node:url";

/** The folder of Node's compile cache for processes that tests start. Without it each process compiles all code again. */
export const COMPILE_CACHE: string = fileURLToPath(
  new URL("../../node_modules/.cache/toolwright-tests", import.meta.url),
);
