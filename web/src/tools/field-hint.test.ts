import { expect, it } from "vitest";
import { fieldHint } from "./field-hint.ts";

it.each([
  [{ type: "string" }, "string"],
  [{ type: "integer", minimum: 1, maximum: 10, $comment: "Default: 3" }, "integer · 1 to 10"],
  [{ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 }, "integer"],
  [{ type: "string", maxLength: 5 }, "string · at most 5 characters"],
  [{ type: "array", minItems: 2 }, "array · at least 2 items"],
  [{ type: "boolean", $comment: "Default: true" }, "boolean · default true"],
  [{ type: "string", enum: ["a"], $comment: "Default: a" }, "default a"],
  [{ type: "object" }, ""],
  [{}, ""],
])("says what %j takes", (schema, hint) => expect(fieldHint(schema)).toBe(hint));
