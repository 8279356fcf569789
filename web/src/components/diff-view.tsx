import { type ReactElement, useState } from "react";
import type { DiffLine, FileDiff } from "../../../src/platform/text/line-diff.ts";
import { counted } from "../format.ts";
import { VisibleText } from "./visible-text.tsx";

/** Lines that are drawn without being asked for, of all files; characters of one line; files. */
const SHOWN_LINES = 200;
const SHOWN_CHARACTERS = 4_000;
const SHOWN_FILES = 200;

/** The lines of files that are added and removed. */
export function DiffView({ files }: { readonly files: readonly FileDiff[] }): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const count = files.reduce((sum, { lines }) => sum + lines.length, 0);
  const omitted = files.reduce((sum, file) => sum + file.omitted, 0);
  let left = isWhole ? count : SHOWN_LINES;
  const shown = files.slice(0, SHOWN_FILES).map((file) => {
    const lines = file.lines.slice(0, left);
    left -= lines.length;
    return { file, lines };
  });
  const isCut = !isWhole && count > SHOWN_LINES;
  return (
    <div className="stack tight">
      {shown
        .filter(({ file, lines }) => lines.length > 0 || file.lines.length === 0)
        .map(({ file, lines }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the files of a call do not change.
          <FileLines key={index} file={file} lines={lines} />
        ))}
      {isCut && (
        <button type="button" className="link-button" onClick={() => setWhole(true)}>
          Show all {count.toLocaleString("en")} lines
        </button>
      )}
      {!isCut && omitted > 0 && <p className="small faint">{counted(omitted, "more line")}, not shown here</p>}
      {files.length > SHOWN_FILES && (
        <p className="small faint">{counted(files.length - SHOWN_FILES, "more file")}, not shown here</p>
      )}
    </div>
  );
}

function FileLines({ file, lines }: { readonly file: FileDiff; readonly lines: readonly DiffLine[] }): ReactElement {
  const hasNumbers = lines.some(({ line }) => line !== undefined);
  return (
    <figure className="diff">
      <figcaption>
        <span className="truncate grow mono">
          <VisibleText>{file.path === "" ? "Change" : file.path.slice(0, SHOWN_CHARACTERS)}</VisibleText>
        </span>
        <span className="diff-count">
          +{file.added} −{file.removed}
        </span>
      </figcaption>
      {lines.length === 0 ? (
        <p className="small muted diff-empty">No line changes.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines can be scrolled by keyboard.
        <pre className="diff-lines" tabIndex={0}>
          {lines.map(({ kind, text, line }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a call do not change.
            <span key={index} className="diff-line" data-kind={kind}>
              {hasNumbers && <span className="diff-number">{line ?? ""}</span>}
              <span className="diff-sign">{SIGNS[kind]}</span>
              <VisibleText>{text.slice(0, SHOWN_CHARACTERS)}</VisibleText>
              {"\n"}
            </span>
          ))}
        </pre>
      )}
    </figure>
  );
}

const SIGNS: Readonly<Record<DiffLine["kind"], string>> = { same: " ", added: "+", removed: "-", gap: "⋮" };
