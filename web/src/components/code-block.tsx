import type { ReactElement } from "react";
import { CopyButton } from "./copy-button.tsx";
import { LongText } from "./long-text.tsx";

/** Code with a button that copies all of it. */
export function CodeBlock({ text, language }: { readonly text: string; readonly language: string }): ReactElement {
  return (
    <figure className="code-block">
      <figcaption>
        <span>{language.slice(0, 40)}</span>
        <CopyButton text={text} label="code" />
      </figcaption>
      <LongText text={text} code />
    </figure>
  );
}
