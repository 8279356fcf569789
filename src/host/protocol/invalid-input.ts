import type { Issue } from "../../core/schema.ts";

/** The message for a model whose input is invalid. */
export function invalidInputText(name: string, issues: readonly Issue[]): string {
  const lines = issues.map(({ path, message }) => `- ${path === "" ? "input" : path}: ${message}`);
  return `The input for "${name}" is not valid:\n${lines.join("\n")}\nCorrect it and call the tool again.`;
}
