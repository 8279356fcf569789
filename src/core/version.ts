/** The version in package.json. A test compares them. */
export const VERSION = "0.1.0";
