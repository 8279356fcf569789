import type { KeyboardEvent } from "react";

/** The keys of a tree, see the ARIA practices. Only parts that are open are in the document. */
export function moveInTree(event: KeyboardEvent): void {
  const item = (event.target as HTMLElement).closest<HTMLElement>("[role=treeitem]");
  if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
  const isButton = (event.target as HTMLElement).tagName === "BUTTON";
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=treeitem]")];
  const expanded = item.getAttribute("aria-expanded");
  const parent = item.parentElement?.closest<HTMLElement>("[role=treeitem]");
  const target = ((): HTMLElement | null | undefined => {
    switch (event.key) {
      case "ArrowDown":
        return items[items.indexOf(item) + 1];
      case "ArrowUp":
        return items[items.indexOf(item) - 1];
      case "Home":
        return items[0];
      case "End":
        return items.at(-1);
      case "ArrowRight":
        if (expanded === "true") return items[items.indexOf(item) + 1];
        if (expanded === "false") item.click();
        return item;
      case "ArrowLeft":
        if (expanded !== "true") return parent;
        item.click();
        return item;
      case "Enter":
      case " ":
        if (isButton) return null;
        item.click();
        return item;
      default:
        return null;
    }
  })();
  if (target === null) return;
  event.preventDefault();
  event.stopPropagation();
  if (!target || target === item) return;
  for (const other of items) other.tabIndex = other === target ? 0 : -1;
  target.focus();
}
