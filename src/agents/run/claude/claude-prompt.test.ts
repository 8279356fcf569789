import { expect, it } from "vitest";
import type { Content } from "../../../core/result.ts";
import { toUserInput } from "./claude-prompt.ts";

const REFUSED = "it cannot be sent to Claude. Images (PNG, JPEG, GIF, WebP, up to 5 MB) and PDF files can.";

it.each<[Content, object]>([
  [
    { type: "text", text: "half \uD83D" },
    { type: "text", text: "half \uFFFD" },
  ],
  [
    { type: "image", mimeType: "image/png", data: "AAAA" },
    { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
  ],
  [
    { type: "file", mimeType: "application/pdf", name: "a.pdf", data: "AAAA" },
    { type: "document", source: { type: "base64", media_type: "application/pdf", data: "AAAA" } },
  ],
  [
    { type: "image", mimeType: "image/svg+xml", data: "AAAA" },
    { type: "text", text: `[image, image/svg+xml: ${REFUSED}]` },
  ],
  [
    { type: "image", mimeType: "image/png", data: "%" },
    { type: "text", text: `[image, image/png: ${REFUSED}]` },
  ],
  [
    { type: "file", mimeType: "application/zip", name: "a.zip", data: "AAAA" },
    { type: "text", text: `[file "a.zip", application/zip: ${REFUSED}]` },
  ],
  [
    { type: "file", mimeType: "text/csv", url: "/data/a.csv" },
    { type: "text", text: "[file, text/csv: /data/a.csv]" },
  ],
])("[G1] sends Claude a prompt: %j", (part, block) => {
  expect(toUserInput([part])).toEqual({
    type: "user",
    message: { role: "user", content: [block] },
    parent_tool_use_id: null,
  });
});
