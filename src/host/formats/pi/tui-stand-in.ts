import { noopProxy } from "./noop-proxy.ts";

/** The `tui` argument of a component, and the size that it reports. */
export interface TuiStandIn {
  readonly tui: object;
  resize(columns: number, rows?: number): void;
}

/** A TUI of pi for components that are drawn in another process. It can only ask for a redraw; all other members do nothing. */
export function createTui(requestRender: () => void): TuiStandIn {
  const size = { columns: 80, rows: 24 };
  const terminal = noopProxy({
    get columns() {
      return size.columns;
    },
    get rows() {
      return size.rows;
    },
    kittyProtocolActive: false,
  });
  const unsubscribe = (): void => {};
  const tui = noopProxy({
    terminal,
    mode: "regular",
    children: [],
    fullRedraws: 0,
    requestRender: () => requestRender(),
    renderNow: () => requestRender(),
    showOverlay: () => overlayHandle(() => {}),
    hasOverlay: () => false,
    addInputListener: () => unsubscribe,
    onTerminalColorSchemeChange: () => unsubscribe,
    queryTerminalBackgroundColor: async () => undefined,
    queryTerminalColorScheme: async () => undefined,
    getShowHardwareCursor: () => false,
    getClearOnShrink: () => false,
    render: () => [],
  });
  return {
    tui,
    resize: (columns, rows = size.rows) => {
      size.columns = columns;
      size.rows = rows;
    },
  };
}

/** The handle that `onHandle` gets. Only `hide` has an effect. */
export function overlayHandle(hide: () => void): object {
  return noopProxy({ hide, isHidden: () => false, isFocused: () => true });
}
