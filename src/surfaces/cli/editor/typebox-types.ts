/** The types of the TypeBox 1 in this package, for editors. */
export * from "typebox";
export { default } from "typebox";
