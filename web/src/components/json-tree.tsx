import { type KeyboardEvent, type MouseEvent, type ReactElement, useState } from "react";
import { counted } from "../format.ts";
import { Icon } from "./icon.tsx";
import { moveInTree } from "./move-in-tree.ts";
import { VisibleText } from "./visible-text.tsx";

const SHOWN_ENTRIES = 100;
const SHOWN_CHARACTERS = 400;
/** Values with few entries are open at first. */
const OPEN_ENTRIES = 24;
const OPEN_LEVELS = 2;

interface JsonTreeProps {
  readonly value: unknown;
  /** Describes the value to screen readers. */
  readonly label: string;
}

/** A JSON value whose parts are drawn when they are opened. Arrow keys move, open and close, as in every tree. */
export function JsonTree({ value, label }: JsonTreeProps): ReactElement {
  return (
    <div className="tree" role="tree" aria-label={label} onKeyDown={(event: KeyboardEvent) => moveInTree(event)}>
      <TreeNode value={value} level={1} isFirst />
    </div>
  );
}

interface TreeNodeProps {
  readonly name?: string;
  readonly value: unknown;
  readonly level: number;
  readonly isFirst?: boolean;
}

function TreeNode({ name, value, level, isFirst = false }: TreeNodeProps): ReactElement {
  const entries = entriesOf(value);
  const [open, setOpen] = useState(level <= OPEN_LEVELS && entries !== undefined && entries.length <= OPEN_ENTRIES);
  const [shown, setShown] = useState(SHOWN_ENTRIES);
  const isBranch = entries !== undefined && entries.length > 0;
  const toggle = (event: MouseEvent): void => {
    event.stopPropagation();
    if (isBranch && getSelection()?.isCollapsed !== false) setOpen(!open);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the tree.
    <div
      role="treeitem"
      aria-level={level}
      aria-expanded={isBranch ? open : undefined}
      tabIndex={isFirst ? 0 : -1}
      onClick={toggle}
    >
      <div className="tree-line">
        <span className="tree-toggle">{isBranch && <Icon name="chevron" size={10} />}</span>
        <span className="grow">
          {name !== undefined && (
            <>
              <span className="tree-key">
                <VisibleText>{name}</VisibleText>
              </span>
              {": "}
            </>
          )}
          {entries === undefined ? <Scalar value={value} /> : <span className="faint">{summaryOf(value)}</span>}
        </span>
      </div>
      {isBranch && open && (
        // biome-ignore lint/a11y/useSemanticElements: a group of a tree.
        <div role="group">
          {entries.slice(0, shown).map(([key, item]) => (
            <TreeNode key={key} name={key} value={item} level={level + 1} />
          ))}
          {entries.length > shown && (
            <button
              type="button"
              className="tree-more"
              onClick={(event) => {
                event.stopPropagation();
                setShown(shown + SHOWN_ENTRIES * 10);
              }}
            >
              {entries.length - shown} more: show {Math.min(entries.length - shown, SHOWN_ENTRIES * 10)}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Scalar({ value }: { readonly value: unknown }): ReactElement {
  const [all, setAll] = useState(false);
  if (typeof value === "number") return <span className="tree-number">{String(value)}</span>;
  if (typeof value !== "string") return <span className="tree-word">{String(value)}</span>;
  const isCut = !all && value.length > SHOWN_CHARACTERS;
  return (
    <>
      <span className="tree-string">
        <VisibleText>{JSON.stringify(isCut ? value.slice(0, SHOWN_CHARACTERS) : value)}</VisibleText>
      </span>
      {isCut && (
        <button
          type="button"
          className="tree-more"
          onClick={(event) => {
            event.stopPropagation();
            setAll(true);
          }}
        >
          … show all {value.length.toLocaleString("en")} characters
        </button>
      )}
    </>
  );
}

/** Undefined for a value without parts. */
function entriesOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item]);
  return typeof value === "object" && value !== null ? Object.entries(value) : undefined;
}

function summaryOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${counted(value.length, "item")}]`;
  const size = Object.keys(value as object).length;
  return size === 0 ? "{}" : `{${counted(size, "field")}}`;
}
