import { expect, it } from "vitest";
import type { PlainResult } from "../../../src/surfaces/http/client/index.ts";
import { issuesOf, pointerParts } from "./issues.ts";

const failed = (code: string, data?: unknown): PlainResult =>
  ({
    ok: false,
    output: "",
    content: [],
    notes: { durationMs: 1 },
    error: { code, message: "", data },
  }) as unknown as PlainResult;

it.each([
  [failed("invalid_input", { issues: [{ path: "/a", message: "x" }] }), [{ path: "/a", message: "x" }]],
  [failed("invalid_input", { issues: [{ path: 1 }, null, "x"] }), []],
  [failed("invalid_input", { issues: "x" }), []],
  [failed("invalid_input"), []],
  [failed("failed", { issues: [{ path: "/a", message: "x" }] }), []],
])("finds the mistakes of an input (%#)", (result, issues) => expect(issuesOf(result)).toEqual(issues));

it.each([
  ["", []],
  ["/a/0", ["a", "0"]],
  ["/a~1b/c~0d/~01", ["a/b", "c~d", "~1"]],
  ["/", [""]],
  ["a", []],
])("splits the pointer %j", (pointer, parts) => expect(pointerParts(pointer)).toEqual(parts));
