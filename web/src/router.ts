import {
  type AnchorHTMLAttributes,
  createElement,
  type MouseEvent,
  type ReactElement,
  useMemo,
  useSyncExternalStore,
} from "react";

export const VIEWS = ["tools", "sessions", "calls", "agents", "permissions"] as const;
export type ViewName = (typeof VIEWS)[number];

/** What the address bar shows: `/VIEW/ID?QUERY`. */
interface Route {
  /** Undefined if the path names no view. */
  readonly view: ViewName | undefined;
  /** The selected tool, session or call. */
  readonly id: string | undefined;
  readonly query: URLSearchParams;
}

const CHANGED = "toolwright:navigated";

export function parseRoute(address: string): Route {
  const url = new URL(address, "http://page");
  const [view = "", id = "", ...rest] = url.pathname.slice(1).split("/");
  const named = view === "" ? "tools" : VIEWS.find((name) => name === view);
  return { view: rest.length > 0 ? undefined : named, id: decode(id) || undefined, query: url.searchParams };
}

/** The address of a view, or of one of its objects. Undefined values are not part of the query. */
export function pathTo(view: ViewName, id?: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const defined = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  const search = defined.length === 0 ? "" : `?${new URLSearchParams(defined)}`;
  return `/${view}${id === undefined ? "" : `/${encodeURIComponent(id)}`}${search}`;
}

/** Changes the address without loading the page. */
export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (to === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", to);
  dispatchEvent(new Event(CHANGED));
}

export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, () => location.pathname + location.search);
  return useMemo(() => parseRoute(address), [address]);
}

/** A link within the page. Modifier keys and the middle button open it as browsers do. */
export function Link({
  to,
  onClick,
  ...more
}: { readonly to: string } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href">): ReactElement {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
    if (event.defaultPrevented || modified) return;
    event.preventDefault();
    navigate(to);
  };
  return createElement("a", { ...more, href: to, onClick: follow });
}

function subscribe(listener: () => void): () => void {
  addEventListener("popstate", listener);
  addEventListener(CHANGED, listener);
  return () => {
    removeEventListener("popstate", listener);
    removeEventListener(CHANGED, listener);
  };
}

/** A malformed escape is kept as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
