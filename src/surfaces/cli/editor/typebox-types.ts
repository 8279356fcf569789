/** TypeBox 1 as it comes with this package, as types for editors. */
export * from "typebox";
export { default } from "typebox";
