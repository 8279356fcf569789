import { codeOnly } from "./code-only.ts";
import { importsIn } from "./imports-in.ts";

/**
 * A sentence about how the code needs Bun; undefined if it does not. Code that checks whether it runs in Bun is assumed to
 * work without it.
 */
export function bunUse(source: string): string | undefined {
  if (!MENTION.test(source)) return undefined;
  const code = codeOnly(source);
  const modules = importsIn(source, code).filter(({ specifier }) => isBunModule(specifier));
  const needed = modules.find(({ kind }) => kind === "static") ?? (GUARD.test(code) ? undefined : modules[0]);
  if (needed) return `It imports "${needed.specifier}".`;
  if (GUARD.test(code) || DECLARED.test(code)) return undefined;
  const use = USE.exec(code);
  return use ? `It uses "Bun${use[1] ? `.${use[1]}` : ""}".` : undefined;
}

export function isBunModule(specifier: string): boolean {
  return specifier === "bun" || specifier.startsWith("bun:");
}

const MENTION = /\bBun\b|["']bun["':]/;
const USE = /(?<![\w$.])Bun\s*(?:\??\.\s*([\w$]+)|\[)|=\s*Bun\b(?!\s*[=:(])/;
/** `codeOnly` has replaced the characters of "Bun" by three spaces. */
const GUARD =
  /\btypeof\s+Bun\b|\bglobalThis\s*\??(?:\.\s*Bun\b|\.?\[\s*["'] {3}["'])|\bversions\s*\??\.\s*bun\b|\bprocess\s*\.\s*isBun\b/;
const DECLARED = /\b(?:const|let|var|function|class)\s+Bun\b/;
