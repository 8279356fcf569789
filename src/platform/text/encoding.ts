export interface Encoding {
  readonly name: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
  /** Whether the file begins with a byte order mark. */
  readonly bom: boolean;
}

export const UTF8: Encoding = { name: "utf-8", bom: false };

/** Detects the encoding of bytes; undefined when they are binary. With `cut`, they may end within a character. */
export function encodingOf(bytes: Uint8Array, { cut }: { cut: boolean } = { cut: false }): Encoding | undefined {
  const marked = fromMark(bytes);
  if (marked) return isUtf32(bytes) ? undefined : marked;
  if (bytes.includes(0)) return utf16WithoutMark(bytes, cut);
  if (isValid("utf-8", bytes, cut)) return UTF8;
  return looksLikeText(bytes) ? { name: "windows-1252", bom: false } : undefined;
}

/** Decodes without the byte order mark. Invalid bytes become U+FFFD. */
export function decode(bytes: Uint8Array, { name }: Encoding): string {
  return new TextDecoder(name).decode(bytes);
}

/** Encodes with the byte order mark. Undefined when the encoding lacks a character. */
export function encode(text: string, { name, bom }: Encoding): Buffer | undefined {
  if (name === "windows-1252") return encodeByTable(text);
  const whole = bom ? `\uFEFF${text}` : text;
  if (name === "utf-8") return Buffer.from(whole, "utf8");
  const little = Buffer.from(whole, "utf16le");
  return name === "utf-16be" ? little.swap16() : little;
}

function fromMark([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return { name: "utf-8", bom: true };
  if (first === 0xff && second === 0xfe) return { name: "utf-16le", bom: true };
  if (first === 0xfe && second === 0xff) return { name: "utf-16be", bom: true };
  return undefined;
}

function isUtf32([first, , third, fourth]: Uint8Array): boolean {
  return first === 0xff && third === 0 && fourth === 0;
}

/** Detects UTF-16 without a byte order mark: one half of most characters is zero, and the other half never is. */
function utf16WithoutMark(bytes: Uint8Array, cut: boolean): Encoding | undefined {
  if (bytes.length < 4 || (bytes.length % 2 === 1 && !cut)) return undefined;
  const pairs = Math.floor(bytes.length / 2);
  const zeros = [0, 0] as [number, number];
  for (let i = 0; i < pairs * 2; i++) if (bytes[i] === 0) zeros[i % 2 === 0 ? 0 : 1] += 1;
  const name = zeros[0] === 0 ? "utf-16le" : zeros[1] === 0 ? "utf-16be" : undefined;
  if (!name || Math.max(...zeros) < pairs * 0.7) return undefined;
  const text = new TextDecoder(name).decode(bytes.subarray(0, pairs * 2), { stream: cut });
  return looksLikeText(Buffer.from(text, "latin1")) && text.isWellFormed() ? { name, bom: false } : undefined;
}

function isValid(name: string, bytes: Uint8Array, cut: boolean): boolean {
  try {
    new TextDecoder(name, { fatal: true }).decode(bytes, { stream: cut });
    return true;
  } catch {
    return false;
  }
}

/** Text has few control characters: at most one in a hundred, for colours and page breaks. */
function looksLikeText(bytes: Uint8Array): boolean {
  let controls = 0;
  for (const byte of bytes) if (byte < 0x20 && (byte < 0x08 || byte > 0x0d)) controls += 1;
  return controls <= bytes.length / 100;
}

function encodeByTable(text: string): Buffer | undefined {
  const all = decode(
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
    { name: "windows-1252", bom: false },
  );
  const byteOf = new Map([...all].map((character, byte) => [character, byte]));
  const bytes = Buffer.alloc(text.length);
  for (let i = 0; i < text.length; i++) {
    const byte = byteOf.get(text.charAt(i));
    if (byte === undefined) return undefined;
    bytes[i] = byte;
  }
  return bytes;
}
