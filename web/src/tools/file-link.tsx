import type { ReactElement } from "react";
import { Icon } from "../components/icon.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { useStoredChoice } from "../stored.ts";
import { EDITOR_NAMES, EDITORS, editorUrl, relativePath } from "./editor-url.ts";

interface FileLinkProps {
  readonly file: string;
  readonly line?: number | undefined;
  /** Paths below it are shown without it. */
  readonly directory: string;
  /** Whether the editor can be chosen here. */
  readonly choosable?: boolean;
}

/** A file and line. If the person has chosen an editor, a click opens it there. */
export function FileLink({ file, line, directory, choosable = false }: FileLinkProps): ReactElement {
  const [editor, setEditor] = useStoredChoice("editor", EDITORS);
  const url = editorUrl(editor, file, line);
  const text = (
    <span className="mono break">
      <VisibleText>{relativePath(file, directory)}</VisibleText>
      {line !== undefined && <span className="faint">:{line}</span>}
    </span>
  );
  return (
    <span className="file-place row wrap">
      {url === undefined ? (
        text
      ) : (
        <a href={url} title={`Open in ${EDITOR_NAMES[editor]}`}>
          {text}
        </a>
      )}
      {choosable && file !== "" && (
        <label className="editor-choice">
          <Icon name="external" size={12} />
          <span className="visually-hidden">Editor that opens files</span>
          <select value={editor} onChange={(event) => setEditor(event.target.value as (typeof EDITORS)[number])}>
            {EDITORS.map((name) => (
              <option key={name} value={name}>
                {EDITOR_NAMES[name]}
              </option>
            ))}
          </select>
        </label>
      )}
    </span>
  );
}
