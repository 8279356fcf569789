import { describe, expect, it } from "vitest";
import { base64Size, decodeBase64, downloadName, imageUrl } from "./decode-base64.ts";

describe("images", () => {
  it.each([
    ["image/png", "AAAA", "data:image/png;base64,AAAA"],
    ["IMAGE/JPEG; x=y", "AA==", "data:image/jpeg;base64,AA=="],
    ["image/svg+xml", "AAAA", undefined],
    ["text/html", "AAAA", undefined],
    ["image/png,<script>", "AAAA", undefined],
    ["image/png", 'AA"onerror=', undefined],
    ["image/png", "", undefined],
  ])("of the type %s", (mimeType, data, url) => expect(imageUrl(data, mimeType)).toBe(url));
});

describe("files", () => {
  it.each([
    ["a.txt", "a.txt"],
    ["../../etc/passwd", "passwd"],
    ["C:\\x\\y.exe", "y.exe"],
    [".bashrc", "bashrc"],
    ["a\u202Egpj.exe", "agpj.exe"],
    ["", "output.bin"],
    [undefined, "output.bin"],
    ["..", "output.bin"],
  ])("named %j", (name, safe) => expect(downloadName(name, "output.bin")).toBe(safe));

  it("are decoded", () => {
    expect(decodeBase64("AQID")).toEqual(new Uint8Array([1, 2, 3]));
    expect(decodeBase64("_-8")).toEqual(new Uint8Array([255, 239]));
    expect(decodeBase64("!")).toBeUndefined();
    expect(base64Size("AQI=")).toBe(2);
  });
});
