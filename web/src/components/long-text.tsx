import { type ReactElement, useState } from "react";

/** Characters that are laid out without being asked for: a line of megabytes blocks the page. */
const SHOWN = 100_000;

/** Text as it was written. The rest of a very long one is shown on request. */
export function LongText({ text, code = false }: { readonly text: string; readonly code?: boolean }): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || text.length <= SHOWN ? text : text.slice(0, SHOWN);
  return (
    <>
      <pre className={code ? "code-text" : "plain-text"}>{code ? <code>{shown}</code> : shown}</pre>
      {shown.length < text.length && (
        <button type="button" className="link-button" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString("en")} characters
        </button>
      )}
    </>
  );
}
