import { type KeyboardEvent, type ReactElement, useId } from "react";
import type { ParsedInput } from "./parse-input.ts";

interface RawInputProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly parsed: ParsedInput;
}

/** The input as JSON, with the place of its first error. */
export function RawInput({ text, onChange, parsed }: RawInputProps): ReactElement {
  const id = useId();
  const lines = text.split("\n").length;
  const pressed = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // The next line begins where this one does.
    const { selectionStart: at, selectionEnd: end, value } = event.currentTarget;
    const line = value.slice(value.lastIndexOf("\n", at - 1) + 1, at);
    const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
    const deeper = /[{[]\s*$/.test(line) ? "  " : "";
    if (indent + deeper === "") return;
    event.preventDefault();
    event.currentTarget.setRangeText(`\n${indent}${deeper}`, at, end, "end");
    onChange(event.currentTarget.value);
  };
  return (
    <div className="stack tight">
      <div className="raw-input">
        <div className="raw-lines" aria-hidden="true">
          {Array.from({ length: Math.min(lines, 999) }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the numbers of lines.
            <div key={index} data-bad={(!parsed.ok && parsed.line === index + 1) || undefined}>
              {index + 1}
            </div>
          ))}
        </div>
        <textarea
          className="input code"
          aria-label="Input as JSON"
          aria-invalid={!parsed.ok}
          aria-describedby={id}
          rows={Math.min(24, Math.max(6, lines))}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          value={text}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={pressed}
        />
      </div>
      <p id={id} className="field-error" role="status">
        {parsed.ok ? "" : `Line ${parsed.line}, column ${parsed.column}: ${parsed.message}`}
      </p>
    </div>
  );
}
