import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sweepOutputs } from "./outputs.ts";
import { storedAttachment } from "./stored-attachment.ts";

const OWNER = { sessionID: "s", callID: "c" };
const data = Buffer.from("bytes").toString("base64");

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "toolwright-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

it.each([
  [{ type: "image", mimeType: "image/png", data }, "[image, image/png, 5 bytes: PLACE]", "png"],
  [{ type: "image", mimeType: "image/jpeg", data }, "[image, image/jpeg, 5 bytes: PLACE]", "jpg"],
  [{ type: "image", mimeType: "image/svg+xml", data }, "[image, image/svg+xml, 5 bytes: PLACE]", "svg"],
  [
    { type: "file", mimeType: "application/pdf", name: "a.pdf", data },
    '[file "a.pdf", application/pdf, 5 bytes: PLACE]',
    "pdf",
  ],
  [
    { type: "file", mimeType: "application/vnd.ms-excel", data },
    "[file, application/vnd.ms-excel, 5 bytes: PLACE]",
    "bin",
  ],
] as const)("[P9] stores %j and says where", (part, line, extension) => {
  const outputs = folder();
  const place = join(outputs, "s", `c.attached.${extension}`);
  expect(storedAttachment(part, outputs, OWNER)).toBe(line.replace("PLACE", place));
  expect(readFileSync(place, "utf8")).toBe("bytes");
});

it("[P9] returns the location of a file that has one, and stores no copy", () => {
  const outputs = folder();
  const part = { type: "file", mimeType: "text/csv", url: "/tmp/rows.csv" } as const;
  expect(storedAttachment(part, outputs, OWNER)).toBe("[file, text/csv: /tmp/rows.csv]");
  expect(readdirSync(outputs)).toEqual([]);
});

it("[P9] reports that a part could not be stored", () => {
  const part = { type: "image", mimeType: "image/png", data } as const;
  expect(storedAttachment(part, "/dev/null/outputs", OWNER)).toBe(
    "[image, image/png, 5 bytes: it could not be stored]",
  );
});

it("[P7] [P9] stored attachments are deleted with the old outputs, other files are not", async () => {
  const root = folder();
  storedAttachment({ type: "image", mimeType: "image/png", data }, join(root, "outputs"), OWNER);
  writeFileSync(join(root, "outputs/s/mine.png"), "");
  for (const name of readdirSync(join(root, "outputs/s"))) utimesSync(join(root, "outputs/s", name), 0, 0);
  await sweepOutputs(root, { now: Date.now() });
  expect(readdirSync(join(root, "outputs/s"))).toEqual(["mine.png"]);
});
