import { expect, it } from "vitest";
import { explainMissingExport } from "./missing-export.ts";

it("[D5] finds an import among many exports without semicolons", () => {
  const exported = Array.from({ length: 50_000 }, (_, index) => `export const a${index} = ${index}`);
  const source = [...exported, 'import { lost } from "./b.ts"', ""].join("\n");
  const file = { path: "/tool.ts", source, imports: [] };
  expect(explainMissingExport([file], { specifier: "./b.ts", name: "lost" })).toEqual({
    file: "/tool.ts",
    position: { line: 50_001, column: 10 },
    reason: 'imports { lost } from "./b.ts", which has no such export. Correct the name.',
  });
});
