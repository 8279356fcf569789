/** Zod as it comes with this package, as types for editors. */
export * from "zod";
export { default } from "zod";
