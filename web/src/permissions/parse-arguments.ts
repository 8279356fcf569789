type Parsed =
  | { readonly kind: "valid"; readonly value: Record<string, unknown> }
  | { readonly kind: "invalid"; readonly problem: string };

/** The arguments of a tool from a text. Empty text means none. */
export function parseArguments(text: string): Parsed {
  if (text.trim() === "") return { kind: "valid", value: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return { kind: "valid", value: value as Record<string, unknown> };
    }
    return { kind: "invalid", problem: 'The input must be an object, such as { "filePath": "a.txt" }.' };
  } catch (error) {
    return {
      kind: "invalid",
      problem: `The input is not valid JSON: ${error instanceof Error ? error.message : error}`,
    };
  }
}
