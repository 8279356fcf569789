/** What tool files import from the packages of pi and oh-my-pi, all of it; `values.ts` is the part without components. */
export * from "@earendil-works/pi-tui";
export type * from "./custom-tool-types.ts";
export type * from "./extension-types.ts";
export * from "./values.ts";
