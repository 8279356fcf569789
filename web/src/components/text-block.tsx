import { type ReactElement, useState } from "react";
import { AnsiText } from "./ansi-text.tsx";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { hasAnsi } from "./parse-ansi.ts";

/** Long text makes the browser slow. */
const SHOWN_CHARACTERS = 20_000;

/** The text of a result, cut to a size that is quick to draw, with the rest on request. */
export function TextBlock({ text }: { readonly text: string }): ReactElement {
  const [all, setAll] = useState(false);
  const isCut = !all && text.length > SHOWN_CHARACTERS;
  const shown = isCut ? text.slice(0, SHOWN_CHARACTERS) : text;
  return (
    <div className="text-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long text can be scrolled by keyboard. */}
      <pre className="output" tabIndex={0}>
        {hasAnsi(shown) ? <AnsiText>{shown}</AnsiText> : shown}
      </pre>
      <div className="text-block-tools">
        <CopyButton text={text} />
      </div>
      {isCut && (
        <Button size="small" onClick={() => setAll(true)}>
          Show all {text.length.toLocaleString("en")} characters
        </Button>
      )}
    </div>
  );
}
