import { codeOnly } from "./code-only.ts";

const DECORATOR = /(?:^|[\s;{}()])@[\w$(]/;

/** Whether TypeScript has decorators, which it and JavaScript do not understand in the same way. */
export function usesDecorators(source: string): boolean {
  return DECORATOR.test(source) && DECORATOR.test(codeOnly(source));
}
