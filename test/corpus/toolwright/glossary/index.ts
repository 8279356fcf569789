import { readFile } from "node:fs/promises";
import { Tool } from "toolwright";
import { z } from "zod";

type Terms = Record<string, string>;

// The words are read once; edit terms.json and reload.
export const glossary = Tool.define("glossary", async () => {
  const terms: Terms = JSON.parse(await readFile(new URL("./terms.json", import.meta.url), "utf8"));
  const names = Object.keys(terms) as [string, ...string[]];
  return {
    parameters: z.object({ term: z.enum(names).describe("The term to explain") }),
    async execute({ term }) {
      return { title: term, metadata: { known: names.length }, output: terms[term] ?? "" };
    },
    hints: { readOnly: true },
  };
});
