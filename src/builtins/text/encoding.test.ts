import { expect, it } from "vitest";
import { decode, encode, encodingOf } from "../../platform/text/encoding.ts";
import { fileKind } from "./file-kind.ts";

it("[B4] writes a text back byte for byte as it was read", () => {
  const all = Buffer.from(
    Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte >= 0x20 || byte === 0x0a),
  );
  const texts = [
    all,
    Buffer.from("\uFEFFa😀\n"),
    Buffer.from("a😀\n"),
    Buffer.from("\uFEFFa😀\n", "utf16le"),
    Buffer.from("\uFEFFa😀\n", "utf16le").swap16(),
    Buffer.from("plain text", "utf16le"),
    Buffer.alloc(0),
  ];
  for (const bytes of texts) {
    const encoding = encodingOf(bytes);
    expect(encoding).toBeDefined();
    if (encoding) expect(encode(decode(bytes, encoding), encoding)).toEqual(bytes);
  }
});

it("[B2] never mistakes text for binary, or binary for text", () => {
  const noise = Buffer.from(Array.from({ length: 4_000 }, (_, index) => ((index * 7919) ^ (index >> 3)) % 255 || 1));
  expect(encodingOf(noise)).toBeUndefined();
  expect(encodingOf(Buffer.from("a\0b"))).toBeUndefined();
  expect(encodingOf(Buffer.from("a\0b\0c"))).toBeUndefined();
  expect(encodingOf(Buffer.from([1, 0, 2, 0, 3, 0, 4, 0]))).toBeUndefined();
  expect(encodingOf(Buffer.from("\x1b[31mred\x1b[0m and much more text"))).toEqual({ name: "utf-8", bom: false });
  const cut = Buffer.from("ä".repeat(10)).subarray(0, 19);
  expect(encodingOf(cut, { cut: true })).toEqual({ name: "utf-8", bom: false });
  expect(encodingOf(cut)).toEqual({ name: "windows-1252", bom: false });
});

it("[B2] detects images by their content only", async () => {
  const whole = { cut: false };
  expect(await fileKind(Buffer.from("GIF89a is how it begins"), whole)).toMatchObject({ kind: "text" });
  expect(await fileKind(Buffer.from("474946383961010001000000002c", "hex"), whole)).toEqual({
    kind: "image",
    mimeType: "image/gif",
  });
  expect(await fileKind(Buffer.from("ffd8ffe000104a46494600", "hex"), whole)).toEqual({
    kind: "image",
    mimeType: "image/jpeg",
  });
  expect(await fileKind(Buffer.from("52494646240000005745425056503820", "hex"), whole)).toEqual({
    kind: "image",
    mimeType: "image/webp",
  });
});
