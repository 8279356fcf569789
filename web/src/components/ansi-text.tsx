import { type CSSProperties, memo, type ReactElement } from "react";
import { type AnsiSpan, parseAnsi } from "./parse-ansi.ts";

/** Text with the colors of a terminal. */
export const AnsiText = memo(function AnsiText({ children }: { readonly children: string }): ReactElement {
  return (
    <span className="ansi">
      {parseAnsi(children).map((span, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the spans have no state.
        <span key={index} style={styleOf(span)}>
          {span.text}
        </span>
      ))}
    </span>
  );
});

/** Lines with the colors of a terminal, as authors draw calls. Read the lines with `render` of the client. */
export function AnsiLines({ lines }: { readonly lines: readonly string[] }): ReactElement {
  return (
    <pre className="output">
      <AnsiText>{lines.join("\n")}</AnsiText>
    </pre>
  );
}

function styleOf({ color, background, bold, dim, italic, underline, inverse, strike }: AnsiSpan): CSSProperties {
  const decoration = [underline && "underline", strike && "line-through"].filter(Boolean).join(" ");
  return {
    ...(inverse
      ? { color: background ?? "var(--bg-sunken)", backgroundColor: color ?? "var(--text)" }
      : { color, backgroundColor: background }),
    ...(bold && { fontWeight: 600 }),
    ...(dim && { opacity: 0.7 }),
    ...(italic && { fontStyle: "italic" }),
    ...(decoration !== "" && { textDecoration: decoration }),
  };
}
