import { Fragment, type ReactElement } from "react";
import { Dialog } from "./dialog.tsx";
import { Keys } from "./keys.tsx";

const SHORTCUTS: readonly (readonly [string, ...string[]])[] = [
  ["Search in this view", "/"],
  ["Tools", "g t"],
  ["Sessions", "g s"],
  ["Calls", "g c"],
  ["Agents", "g a"],
  ["Permissions", "g p"],
  ["Next in a list", "j", "ArrowDown"],
  ["Previous in a list", "k", "ArrowUp"],
  ["Open", "Enter"],
  ["Run the tool, send the message", "mod+Enter"],
  ["Write a message to the agent", "i"],
  ["Go to the open question", "q"],
  ["Next match in a transcript", "n", "F3"],
  ["Previous match in a transcript", "N"],
  ["Abort the call or turn, leave a field, close, back to the list", "Escape"],
  ["This list", "?"],
];

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="shortcut-table">
        {SHORTCUTS.map(([what, ...keys]) => (
          <Fragment key={what}>
            <dt>{what}</dt>
            <dd className="row">
              {keys.map((shortcut) => (
                <Fragment key={shortcut}>
                  <Keys of={shortcut} />
                  <span className="visually-hidden">{shortcut}</span>
                </Fragment>
              ))}
            </dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
