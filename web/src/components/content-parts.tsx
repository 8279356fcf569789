import { type ReactElement, useState } from "react";
import type { Content, FileContent, ImageContent, Truncated } from "../../../src/core/result.ts";
import { byteSize } from "../format.ts";
import { base64Size, decodeBase64, downloadName, imageUrl } from "./decode-base64.ts";
import { Note } from "./error-state.tsx";
import { Icon } from "./icon.tsx";
import { safeLink } from "./safe-link.ts";
import { TextBlock } from "./text-block.tsx";
import { VisibleText } from "./visible-text.tsx";

/** The parts of a result or message: text, images, and files to download. */
export function ContentParts({ content }: { readonly content: readonly Content[] }): ReactElement {
  return (
    <div className="stack">
      {content.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a result do not change.
        <ContentPart key={index} part={part} />
      ))}
    </div>
  );
}

function ContentPart({ part }: { readonly part: Content }): ReactElement | null {
  if (part.type === "text") return part.text === "" ? null : <TextBlock text={part.text} />;
  return part.type === "image" ? <ImagePart part={part} /> : <FilePart part={part} />;
}

function ImagePart({ part }: { readonly part: ImageContent }): ReactElement {
  const [broken, setBroken] = useState(false);
  const url = imageUrl(part.data, part.mimeType);
  const file = { type: "file", mimeType: part.mimeType, data: part.data } as const;
  if (url === undefined || broken) return <FilePart part={file} />;
  return (
    <div className="stack tight">
      <div>
        <img className="output-image" src={url} alt="Output of the tool" onError={() => setBroken(true)} />
      </div>
      <FilePart part={file} />
    </div>
  );
}

/** A file is only ever downloaded, never opened: it may be a page with scripts. */
function FilePart({ part }: { readonly part: Omit<FileContent, "type"> }): ReactElement {
  const { name, mimeType, data, url } = part;
  if (data === undefined) return <LinkedFile name={name} url={url} />;
  const save = (): void => download(decodeBase64(data), downloadName(name, fallbackName(mimeType)));
  return (
    <div>
      <button type="button" className="file-link" onClick={save}>
        <Icon name="download" />
        <span className="truncate">
          <VisibleText>{name ?? fallbackName(mimeType)}</VisibleText>
        </span>
        <span className="faint small truncate">
          {mimeType} · {byteSize(base64Size(data))}
        </span>
      </button>
    </div>
  );
}

function LinkedFile({
  name,
  url,
}: {
  readonly name: string | undefined;
  readonly url: string | undefined;
}): ReactElement {
  const text = <VisibleText>{name ?? url ?? "File without data"}</VisibleText>;
  const href = safeLink(url ?? "");
  if (href === undefined) return <p className="break">{url ? <VisibleText>{url}</VisibleText> : text}</p>;
  return (
    <a className="file-link" href={href} title={href} target="_blank" rel="noopener noreferrer">
      <Icon name="external" />
      <span className="truncate">{text}</span>
    </a>
  );
}

/** Says that an output was cut, and links to the whole. */
export function TruncatedNote({ truncated }: { readonly truncated: Truncated }): ReactElement {
  const { keptBytes, totalBytes, fullOutput } = truncated;
  return (
    <Note>
      The output was cut to {byteSize(keptBytes)} of {byteSize(totalBytes)}.{" "}
      {fullOutput === undefined ? (
        "The whole could not be stored."
      ) : (
        <a href={`/api/outputs?file=${encodeURIComponent(fullOutput)}`} download>
          Download the whole output
        </a>
      )}
    </Note>
  );
}

function fallbackName(mimeType: string): string {
  const extension = /^[\w.+-]+\/([\w-]+)/.exec(mimeType)?.[1] ?? "bin";
  return `output.${extension}`;
}

function download(bytes: Uint8Array<ArrayBuffer> | undefined, name: string): void {
  const url = URL.createObjectURL(new Blob(bytes ? [bytes] : [], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
