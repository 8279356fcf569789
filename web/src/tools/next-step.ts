import type { ToolErrorCode } from "../../../src/surfaces/http/client/index.ts";

/** What a person can do after a call failed. */
export function nextStep(code: ToolErrorCode): string {
  return NEXT_STEPS[code] ?? "";
}

const NEXT_STEPS: Readonly<Record<ToolErrorCode, string>> = {
  unknown_tool: "The tool is no longer served. Select another one.",
  invalid_input: "",
  denied: "Change the rule that decides, or the mode, and run it again.",
  timeout:
    "The tool took longer than its time limit. Try a smaller input, or raise the limit in the tool or the settings.",
  aborted: "The call was cancelled. Whatever the tool had done by then has happened.",
  crashed: "",
  failed: "The tool reported this error. If it is a bug, fix it in the tool's file: saving it takes effect at once.",
  invalid_output: "The tool returned data that does not fit its output schema. Fix the tool or its schema.",
};
