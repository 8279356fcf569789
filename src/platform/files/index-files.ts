/** The index files of a folder, in order. */
export const INDEX_FILES: readonly string[] = ["index.ts", "index.mts", "index.js", "index.mjs", "index.cjs"];
