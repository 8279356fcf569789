/**
 * Stands in for `openclaw/plugin-sdk` and all its subpaths if OpenClaw is not installed. The loader adds a function that fails
 * when it is called for each name that a file imports and this module lacks.
 */
export { unavailable } from "../pi/stand-in.ts";
export { optionalStringEnum, StringEnum as stringEnum } from "../string-enum.ts";
export * from "./config-schema.ts";
export * from "./entries.ts";
export * from "./params.ts";
export * from "./results.ts";
export * from "./small-values.ts";
export * from "./tool-plugin.ts";
