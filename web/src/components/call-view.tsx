import { type ReactElement, useState } from "react";
import type { CallView } from "../../../src/sessions/cards/call-view.ts";
import type { TodoItem } from "../../../src/sessions/cards/todo-items.ts";
import { counted } from "../format.ts";
import { DiffView } from "./diff-view.tsx";
import { VisibleText } from "./visible-text.tsx";

/** What a call does. A file and a list are the result of their call. */
export function CallViewParts({ view }: { readonly view: CallView }): ReactElement | null {
  switch (view.kind) {
    case "command":
      return <CommandText text={view.command} />;
    case "diff":
      return <DiffView files={view.files} />;
    case "todos":
      return <TodoList items={view.items} />;
    default:
      return null;
  }
}

const SHOWN_COMMAND = 20_000;
const SHOWN_ITEMS = 500;
const SHOWN_CHARACTERS = 2_000;

function CommandText({ text }: { readonly text: string }): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > SHOWN_COMMAND;
  return (
    <div className="command-text">
      <pre className="code-text">
        <VisibleText>{isCut ? text.slice(0, SHOWN_COMMAND) : text}</VisibleText>
      </pre>
      {isCut && (
        <button type="button" className="link-button" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString("en")} characters
        </button>
      )}
    </div>
  );
}

const STATES: Readonly<Record<TodoItem["state"], readonly [string, string]>> = {
  open: ["○", "open"],
  active: ["▸", "in progress"],
  done: ["✓", "done"],
  cancelled: ["✗", "cancelled"],
};

function TodoList({ items }: { readonly items: readonly TodoItem[] }): ReactElement {
  const more = items.length - SHOWN_ITEMS;
  return (
    <ul className="todo-list">
      {items.slice(0, SHOWN_ITEMS).map(({ text, state }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items of a call do not change.
        <li key={index} data-state={state}>
          <span aria-hidden="true">{STATES[state][0]}</span>
          <span className="visually-hidden">{STATES[state][1]}: </span>
          <span className="break">
            <VisibleText>{text.slice(0, SHOWN_CHARACTERS)}</VisibleText>
          </span>
        </li>
      ))}
      {more > 0 && <li className="faint">{counted(more, "more item")}</li>}
    </ul>
  );
}
