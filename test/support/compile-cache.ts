import { fileURLToPath } from "node:url";

/** Where Node keeps the compiled code of the processes that tests start. Without it each of them compiles it again. */
export const COMPILE_CACHE: string = fileURLToPath(
  new URL("../../node_modules/.cache/toolwright-tests", import.meta.url),
);
