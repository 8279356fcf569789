/** What a value of a JSON file is, for a sentence that begins with its name and "is". */
export function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const json = JSON.stringify(value);
  return json.length > 60 ? `a ${typeof value}` : json;
}
