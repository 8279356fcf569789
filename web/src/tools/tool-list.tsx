import { type KeyboardEvent, memo, type ReactElement, type Ref, useMemo } from "react";
import type { ApiCatalog, ApiCatalogTool } from "../../../src/surfaces/http/client/index.ts";
import { Dot, Spinner } from "../components/badge.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { Icon } from "../components/icon.tsx";
import { Keys } from "../components/keys.tsx";
import { VirtualList } from "../components/virtual-list.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { counted } from "../format.ts";
import { isWithoutSession, useQuestions } from "../questions.ts";
import { Link, pathTo } from "../router.ts";
import type { ToolRow } from "./tool-rows.ts";

interface ToolListProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly rows: readonly ToolRow[];
  readonly catalog: ApiCatalog;
  readonly selected: string | undefined;
  readonly search: string;
  readonly onSearch: (text: string) => void;
  readonly onMove: (step: number) => void;
  readonly onEnter: () => void;
}

/** The search, and the tools that it finds. Arrow keys in the search move the selection. */
export function ToolList(props: ToolListProps): ReactElement {
  const { ref, rows, catalog, selected, search, onSearch, onMove, onEnter } = props;
  const current = rows.findIndex((row) => row.kind === "tool" && row.tool.name === selected);
  const tools = useMemo(() => rows.filter((row) => row.kind === "tool"), [rows]);
  const positions = useMemo(() => new Map<ToolRow, number>(tools.map((row, index) => [row, index + 1])), [tools]);
  const pressed = (event: KeyboardEvent<HTMLInputElement>): void => {
    // The shortcut that runs the selected tool.
    if (event.ctrlKey || event.metaKey) return;
    const clear = (): void => (search === "" ? event.currentTarget.blur() : onSearch(""));
    const action = new Map([
      ["ArrowDown", () => onMove(1)],
      ["ArrowUp", () => onMove(-1)],
      ["Enter", onEnter],
      ["Escape", clear],
    ]).get(event.key);
    if (!action || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  return (
    <>
      <div className="pane-head">
        <div className="search">
          <Icon name="search" size={14} />
          <input
            ref={ref}
            className="input"
            type="search"
            role="combobox"
            aria-label="Search tools by name, description, source or file"
            aria-expanded={tools.length > 0}
            aria-controls={tools.length > 0 ? "tool-list" : undefined}
            aria-activedescendant={current >= 0 ? `tool-${current}` : undefined}
            placeholder={`Search ${catalog.tools.length} tools`}
            autoComplete="off"
            spellCheck={false}
            value={search}
            onChange={(event) => onSearch(event.target.value)}
            onKeyDown={pressed}
          />
          {search === "" && <Keys of="/" />}
        </div>
      </div>
      <Attention catalog={catalog} />
      {tools.length === 0 ? (
        <NoTools search={search} catalog={catalog} />
      ) : (
        <div className="pane" id="tool-list" role="listbox" aria-label="Tools" tabIndex={-1}>
          <VirtualList
            rows={rows}
            rowKey={(row) => (row.kind === "group" ? `group ${row.name}` : row.tool.name)}
            rowHeight={(row) => (row.kind === "group" ? 36 : 46)}
            current={current}
            className="tool-rows"
          >
            {(row, index) =>
              row.kind === "group" ? (
                <div className="list-head" role="presentation">
                  <span className="truncate">
                    <VisibleText>{row.name}</VisibleText>
                  </span>
                  <span>{row.count}</span>
                </div>
              ) : (
                <ToolOption
                  tool={row.tool}
                  id={`tool-${index}`}
                  position={positions.get(row) ?? 0}
                  total={tools.length}
                  selected={row.tool.name === selected}
                />
              )
            }
          </VirtualList>
        </div>
      )}
      {catalog.loading.length > 0 && (
        <div className="list-foot row small muted" role="status">
          <Spinner label="" /> Reading{" "}
          {catalog.loading.length === 1 ? catalog.loading[0] : `${catalog.loading.length} files`}
        </div>
      )}
    </>
  );
}

interface ToolOptionProps {
  readonly tool: ApiCatalogTool;
  readonly id: string;
  readonly position: number;
  readonly total: number;
  readonly selected: boolean;
}

const ToolOption = memo(function ToolOption({ tool, id, position, total, selected }: ToolOptionProps): ReactElement {
  return (
    <Link
      className="list-row tool-row"
      id={id}
      to={pathTo("tools", tool.name)}
      role="option"
      aria-selected={selected}
      aria-posinset={position}
      aria-setsize={total}
      tabIndex={selected ? 0 : -1}
      data-disabled={!tool.enabled || undefined}
    >
      <span className="grow">
        <span className="tool-name truncate">
          <VisibleText>{tool.name}</VisibleText>
        </span>
        <span className="tool-summary truncate">
          <VisibleText>{tool.description.slice(0, 200)}</VisibleText>
        </span>
      </span>
      {!tool.enabled && <span className="badge">off</span>}
    </Link>
  );
});

/** Says that something keeps tools from being served. */
function Attention({ catalog }: { readonly catalog: ApiCatalog }): ReactElement | null {
  const { problems, blocked, warnings } = catalog;
  const files = blocked.reduce((sum, { files: { length } }) => sum + length, 0);
  const questions = useQuestions().filter(isWithoutSession).length;
  const parts = [
    questions > 0 && counted(questions, "question"),
    problems.length > 0 && counted(problems.length, "problem"),
    files > 0 && `${counted(files, "file")} blocked`,
    warnings.length > 0 && counted(warnings.length, "warning"),
  ].filter((part) => part !== false);
  if (parts.length === 0) return null;
  return (
    <Link className="attention row" to={pathTo("tools", undefined, { overview: "1" })}>
      <Dot tone={problems.length > 0 ? "bad" : "warn"} />
      <span className="grow">{parts.join(", ")}</span>
      <Icon name="chevron" size={12} />
    </Link>
  );
}

function NoTools({ search, catalog }: { readonly search: string; readonly catalog: ApiCatalog }): ReactElement {
  if (search.trim() !== "")
    return (
      <EmptyState title="No tool matches">
        No name, description, source or file contains “{search.trim()}”. Escape clears the search.
      </EmptyState>
    );
  if (catalog.loading.length > 0) return <EmptyState title="Reading tool files…" />;
  return (
    <EmptyState icon="tools" title="There are no tools yet">
      Run <code>{catalog.command} new hello</code> in {catalog.project.directory}. The tool appears here at once.
    </EmptyState>
  );
}
