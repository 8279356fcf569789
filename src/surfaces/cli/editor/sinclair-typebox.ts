/** TypeBox 0.34 as it comes with this package, as types for editors. */
export * from "@sinclair/typebox";
