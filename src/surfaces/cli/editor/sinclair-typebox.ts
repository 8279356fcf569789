/** The types of the TypeBox 0.34 in this package, for editors. */
export * from "@sinclair/typebox";
