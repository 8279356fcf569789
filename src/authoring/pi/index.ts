/** The exports of the packages of pi and oh-my-pi. `values.ts` has those that do not need the components of pi-tui. */
export * from "@earendil-works/pi-tui";
export type * from "./custom-tool-types.ts";
export type * from "./extension-types.ts";
export * from "./values.ts";
