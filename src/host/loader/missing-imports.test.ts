import { expect, it } from "vitest";
import { explainMissingImports } from "./missing-imports.ts";

it("[D5] explains the URL of a file on another computer", () => {
  const at = { line: 1, column: 15 };
  const imports = [{ specifier: "file://server/x.ts", ...at, target: undefined }];
  expect(explainMissingImports([{ path: "/tool.ts", source: "", imports }], undefined)).toEqual({
    message: 'It imports "file://server/x.ts", which is not the URL of a file on this computer. Correct it.',
    position: at,
  });
});
