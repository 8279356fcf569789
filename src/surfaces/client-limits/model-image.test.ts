import { expect, it } from "vitest";
import { isModelImage } from "./model-image.ts";

it.each([
  ["a PNG image", { type: "image", mimeType: "image/png", data: "AAAA" }, true],
  ["an SVG image", { type: "image", mimeType: "image/svg+xml", data: "AAAA" }, false],
  ["an empty image", { type: "image", mimeType: "image/png", data: "" }, false],
  ["an image whose data is not base64", { type: "image", mimeType: "image/png", data: "a b!" }, false],
  ["an image of more than 5 MB", { type: "image", mimeType: "image/png", data: "AAAA".repeat(1_400_000) }, false],
  ["a file", { type: "file", mimeType: "image/png", data: "AAAA" }, false],
] as const)("tells whether a model can be sent %s", (_, part, expected) => {
  expect(isModelImage(part)).toBe(expected);
});
