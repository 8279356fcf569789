import { createRequire } from "node:module";
import { lazyValue } from "./lazy-value.ts";

const require = createRequire(import.meta.url);

/** TypeBox, loaded on its first use. */
export const Type: typeof import("typebox").Type = lazyValue(
  () => (require("typebox") as typeof import("typebox")).Type,
);
