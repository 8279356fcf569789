import { type KeyboardEvent, type ReactElement, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

interface MenuItem {
  readonly id: string;
  readonly label: ReactNode;
  readonly detail?: string;
  readonly onSelect: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly icon: IconName;
  readonly items: readonly MenuItem[];
  readonly disabled?: boolean;
}

/** A button that opens a list of actions. Arrow keys move, Escape closes. */
export function Menu({ label, icon, items, disabled = false }: MenuProps): ReactElement {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const toggled = (): void => setOpen(popover.current?.matches(":popover-open") ?? false);
  // The items exist only now.
  useLayoutEffect(() => {
    if (!open || !popover.current || !button.current) return;
    place(popover.current, button.current.getBoundingClientRect());
    popover.current.querySelector("button")?.focus();
  }, [open]);
  const pressed = (event: KeyboardEvent): void => {
    const buttons = [...(popover.current?.querySelectorAll("button") ?? [])];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons.at((at + step) % buttons.length)?.focus();
  };
  return (
    <>
      <Button
        ref={button}
        kind="quiet"
        size="small"
        icon={icon}
        disabled={disabled}
        aria-haspopup="menu"
        aria-expanded={open}
        popoverTarget={id}
      >
        {label}
        <Icon name="down" size={10} />
      </Button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        className="menu"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onToggle={toggled}
        onKeyDown={pressed}
      >
        {open &&
          items.map((item) => (
            <button
              key={item.id}
              type="button"
              role="menuitem"
              className="list-row"
              onClick={() => {
                popover.current?.hidePopover();
                button.current?.focus();
                item.onSelect();
              }}
            >
              <span className="grow truncate">{item.label}</span>
              {item.detail !== undefined && <span className="faint small">{item.detail}</span>}
            </button>
          ))}
      </div>
    </>
  );
}

/** Below the button, within the window. */
function place(popover: HTMLElement, { bottom, right }: DOMRect): void {
  const width = Math.min(420, innerWidth - 16);
  popover.style.maxWidth = `${width}px`;
  popover.style.top = `${Math.min(bottom + 4, innerHeight - popover.offsetHeight - 8)}px`;
  popover.style.left = `${Math.max(8, right - popover.offsetWidth)}px`;
}
