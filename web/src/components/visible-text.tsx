import type { ReactElement } from "react";
import { splitVisible } from "./split-visible.ts";

/** Untrusted text that a person decides on: names and commands. Hidden and reordering characters are shown as `U+202E`. */
export function VisibleText({ children }: { readonly children: string }): ReactElement {
  return (
    <bdi>
      {splitVisible(children).map(({ text, hidden }, index) =>
        hidden ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no state.
          <span key={index} className="control-character">
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </bdi>
  );
}
