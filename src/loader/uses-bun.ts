import { codeOnly } from "./code-only.ts";
import { importsIn } from "./imports-in.ts";

/**
 * How JavaScript uses the Bun runtime so that it cannot run without, as a sentence; undefined when it does not. Code
 * that looks first whether it is in Bun is taken to have another way.
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
/** Three blanks between quotes are what is left of "Bun". */
const GUARD =
  /\btypeof\s+Bun\b|\bglobalThis\s*\??(?:\.\s*Bun\b|\.?\[\s*["'] {3}["'])|\bversions\s*\??\.\s*bun\b|\bprocess\s*\.\s*isBun\b/;
const DECLARED = /\b(?:const|let|var|function|class)\s+Bun\b/;
