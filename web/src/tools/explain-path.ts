import { pathTo } from "../router.ts";
import { withoutSecrets } from "./input-history.ts";

/** A longer input is left out: browsers cut long addresses. */
const MOST_CHARACTERS = 2000;

/** The address of the form that says which rule decides about a call. It asks nothing before the person presses the button. */
export function explainPath(tool: string, input: unknown): string {
  const text = JSON.stringify(withoutSecrets(input)) ?? "";
  return pathTo("permissions", undefined, { tool, input: text.length > MOST_CHARACTERS ? undefined : text });
}
