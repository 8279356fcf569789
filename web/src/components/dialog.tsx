import { type MouseEvent, type ReactElement, type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "./button.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog. Escape, the button and a click beside it close it. The focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps): ReactElement {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  const clicked = (event: MouseEvent): void => {
    if (event.target === element.current) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by keyboard.
    <dialog ref={element} className="dialog" aria-labelledby={id} onClose={onClose} onClick={clicked}>
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" icon="close" aria-label="Close" onClick={onClose} />
      </div>
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}
