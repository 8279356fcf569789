/** The types of the Zod in this package, for editors. */
export * from "zod";
export { default } from "zod";
