import { codeOnly } from "../../platform/text/code-only.ts";
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

/**
 * The same for the code of a package, which may be large: nothing but a search for a word in most cases. Imports do not
 * count, since a package may catch their failure.
 */
export function bunUseInPackage(source: LoadedSource): string | undefined {
  if (!source || !mentions(source)) return undefined;
  const text = typeof source === "string" ? source : new TextDecoder().decode(source);
  return USE.test(text) && !RAW_GUARD.test(text) ? bunUse(text) : undefined;
}

type LoadedSource = string | NodeJS.TypedArray | ArrayBuffer | null | undefined;

function mentions(source: NonNullable<LoadedSource>): boolean {
  if (typeof source === "string") return source.includes("Bun.");
  const bytes = ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source);
  return bytes.includes("Bun.");
}

const RAW_GUARD = /\btypeof\s+Bun\b|\bglobalThis\b.{0,3}\bBun\b|\bversions\b.{0,4}\bbun\b|\bisBun\b/;

export function isBunModule(specifier: string): boolean {
  return specifier === "bun" || specifier.startsWith("bun:");
}

const MENTION = /\bBun\b|["']bun["':]/;
const USE = /(?<![\w$.])Bun\s*(?:\??\.\s*([\w$]+)|\[)|=\s*Bun\b(?!\s*[=:(])/;
/** `codeOnly` has replaced the characters of "Bun" by three spaces. */
const GUARD =
  /\btypeof\s+Bun\b|\bglobalThis\s*\??(?:\.\s*Bun\b|\.?\[\s*["'] {3}["'])|\bversions\s*\??\.\s*bun\b|\bprocess\s*\.\s*isBun\b/;
const DECLARED = /\b(?:const|let|var|function|class)\s+Bun\b/;
