import type { Call } from "../calls/call.ts";
import type { UiRequest, ViewRequest } from "../host/protocol/messages.ts";
import { ShownView } from "./shown-view.ts";

/** The call or command that a component belongs to. The component is closed when it ends or is aborted. */
export type ViewOwner = Pick<Call, "signal" | "atEnd"> & { readonly clock?: Pick<Call["clock"], "pause"> };

/** A command while it runs. */
export interface RunningCommand extends ViewOwner {
  readonly sessionID: string;
}

/** Shows a component. May throw or reject: the component is then closed. */
export type ShowView = (view: ShownView) => unknown;

/** Answers the requests of hosts about components. */
export class ViewRequests {
  readonly #views = new Map<string, ShownView>();
  readonly #ofOwners = new WeakMap<ViewOwner, Set<ShownView>>();

  /** Without an owner or a way to show it, a component is not opened. Never rejects. */
  async answer(
    { dialogID = "" }: UiRequest,
    request: ViewRequest,
    owner: ViewOwner | undefined,
    show: ShowView | undefined,
  ): Promise<unknown> {
    const view = this.#views.get(dialogID);
    switch (request.kind) {
      case "open":
        if (view || !owner || !show || owner.signal.aborted) return false;
        this.#open(dialogID, new ShownView(request), owner, show);
        return true;
      case "next":
        return view?.next(request.drawn);
      case "changed":
        return view?.changed();
      case "close":
        return view?.close();
    }
  }

  /** The clock of the owner is paused while the component is shown. */
  #open(id: string, view: ShownView, owner: ViewOwner, show: ShowView): void {
    const siblings = this.#ofOwners.get(owner) ?? this.#adopt(owner);
    const resume = owner.clock?.pause();
    this.#views.set(id, view);
    siblings.add(view);
    void view.closed.then(() => {
      resume?.();
      siblings.delete(view);
      this.#views.delete(id);
    });
    void (async () => show(view))().catch(() => view.close());
  }

  #adopt(owner: ViewOwner): Set<ShownView> {
    const views = new Set<ShownView>();
    this.#ofOwners.set(owner, views);
    const closeAll = (): void => {
      for (const view of views) view.close();
    };
    owner.atEnd.push(closeAll);
    owner.signal.addEventListener("abort", closeAll, { once: true });
    return views;
  }
}
