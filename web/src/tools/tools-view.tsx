import { type ReactElement, useDeferredValue, useMemo, useRef, useState } from "react";
import type { ApiCatalog } from "../../../src/surfaces/http/client/index.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorState } from "../components/error-state.tsx";
import { navigate, pathTo, useRoute } from "../router.ts";
import { useClient, useResource } from "../server.ts";
import { useShortcuts } from "../shortcuts.ts";
import "../styles/tools.css";
import { Overview } from "./overview.tsx";
import { ToolDetail } from "./tool-detail.tsx";
import { ToolList } from "./tool-list.tsx";
import { type ToolRow, toolRows } from "./tool-rows.ts";

/** The view "Tools": all tools at the left, the selected one beside them. */
export function ToolsView(): ReactElement {
  const client = useClient();
  const catalog = useResource((signal) => client.catalog({ signal }), { events: ["tools"] });
  if (catalog.value) return <Catalog catalog={catalog.value} />;
  if (catalog.error)
    return <ErrorState title="The tools could not be read" error={catalog.error} onRetry={catalog.refetch} />;
  return <EmptyState title="Reading the tools…" loading />;
}

function Catalog({ catalog }: { readonly catalog: ApiCatalog }): ReactElement {
  const { id, query } = useRoute();
  const [search, setSearch] = useState("");
  const deferred = useDeferredValue(search);
  const rows = useMemo(() => toolRows(catalog.tools, deferred), [catalog.tools, deferred]);
  const detail = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  // The list follows keys at once, the form of the tool as soon as there is time.
  const deferredId = useDeferredValue(id);
  const selected = catalog.tools.find(({ name }) => name === deferredId);
  const shown = id !== undefined || query.has("overview") ? "detail" : "list";

  const move = (step: number): void => {
    const name = neighbor(rows, id, step);
    if (name !== undefined) navigate(pathTo("tools", name), { replace: id !== undefined });
  };
  const focusDetail = (): void => {
    if (!rows.some((row) => row.kind === "tool" && row.tool.name === id)) return move(1);
    const field = detail.current?.querySelector<HTMLElement>(
      ".run-input input, .run-input textarea, .run-input select",
    );
    (field ?? detail.current?.querySelector<HTMLElement>(".run-button"))?.focus();
  };
  const isInDetail = ({ target }: KeyboardEvent): boolean =>
    target instanceof Node && target !== detail.current && detail.current?.contains(target) === true;
  const next = (): void => move(1);
  const previous = (): void => move(-1);
  // Within the detail, arrow keys scroll, and Enter presses what has the focus.
  const down = (event: KeyboardEvent): unknown => (isInDetail(event) ? false : next());
  const up = (event: KeyboardEvent): unknown => (isInDetail(event) ? false : previous());
  const enter = ({ target }: KeyboardEvent): unknown => {
    const isOnRow = target instanceof HTMLElement && target.matches(".tool-row[aria-selected=true]");
    return target === document.body || target === detail.current || isOnRow ? focusDetail() : false;
  };
  const back = (): unknown => (shown === "detail" && isNarrow() ? navigate(pathTo("tools")) : false);
  const focusSearch = (): void => input.current?.select();
  useShortcuts({
    "/": focusSearch,
    j: next,
    k: previous,
    ArrowDown: down,
    ArrowUp: up,
    Enter: enter,
    Escape: back,
  });
  return (
    <div className="split" data-open={shown}>
      <section className="pane" aria-label="Tools">
        <ToolList
          ref={input}
          rows={rows}
          catalog={catalog}
          selected={id}
          search={search}
          onSearch={setSearch}
          onMove={move}
          onEnter={focusDetail}
        />
      </section>
      <section className="pane" aria-label="Selected tool" ref={detail} tabIndex={-1}>
        {selected ? (
          <ToolDetail key={selected.name} tool={selected} catalog={catalog} />
        ) : (
          <Overview catalog={catalog} missing={deferredId} />
        )}
      </section>
    </div>
  );
}

/** Whether the list and the detail take turns. */
function isNarrow(): boolean {
  return matchMedia("(max-width: 719px)").matches;
}

/** The next tool of the list, skipping the names of groups. */
function neighbor(rows: readonly ToolRow[], id: string | undefined, step: number): string | undefined {
  const names = rows.flatMap((row) => (row.kind === "tool" ? [row.tool.name] : []));
  const at = id === undefined ? -1 : names.indexOf(id);
  if (at === -1) return step > 0 ? names[0] : names.at(-1);
  return names[Math.min(names.length - 1, Math.max(0, at + step))];
}
