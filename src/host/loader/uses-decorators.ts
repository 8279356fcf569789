import { codeOnly } from "../../platform/text/code-only.ts";

const DECORATOR = /(?:^|[\s;{}()])@[\w$(]/;

/** Whether the source has decorators: TypeScript's differ from those of JavaScript. */
export function usesDecorators(source: string): boolean {
  return DECORATOR.test(source) && DECORATOR.test(codeOnly(source));
}
