import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { AuditEvent } from "../../../../calls/recorder.ts";
import type { ApiCall, ApiPageEvents } from "../../../../core/api-page.ts";
import { VERSION } from "../../../../core/version.ts";
import { defined } from "../../../../platform/values/defined.ts";
import type { Toolbox } from "../../../../toolbox/toolbox.ts";
import type { ErrorResponse } from "../../parts/error-response.ts";
import { eventFrame } from "../../parts/event-stream.ts";
import { StreamPool } from "../../parts/stream-pool.ts";
import type { HttpLimits } from "../http-limits.ts";

/** The shortest time between two events that only say that something has changed. */
const SPACING_MS = 500;
/** How often sessions and settings are compared: other processes change them too. */
const POLL_MS = 1_000;
/** The number of sessions that are compared. */
const MAX_COMPARED = 200;
/** How long sessions are not looked at after that failed. */
const RETRY_POLLS = 30;
/** The calls of one second that are sent one by one. */
const MAX_CALLS = 100;
const MAX_NOTICES = 20;
/** A call with a larger input is sent without it. */
const MAX_INPUT = 20_000;
/** A page that has not read so many bytes is disconnected: it connects again, and reads all again. */
const MAX_UNREAD_BYTES = 1_000_000;
/** The group of streams that all pages belong to. */
const PAGES = "pages";

/** Events without data: the page reads the current state. */
type Change = "tools" | "sessions" | "permissions" | "calls";

/** The events of the page, from the toolbox and from disk. While no page is open, it listens to nothing. */
export class PageEvents {
  readonly #toolbox: Toolbox;
  readonly #maxPages: number;
  readonly #pages: StreamPool;
  readonly #hello: ApiPageEvents["hello"];
  readonly #timers = new Map<Change, NodeJS.Timeout>();
  readonly #sentAt = new Map<Change, number>();
  #stops: (() => void)[] = [];
  #sent = { calls: 0, notices: 0 };
  #newestSessions: readonly string[] | undefined;
  #isComparing = false;
  #pollsToSkip = 0;

  /** `renewal` is that of the login. */
  constructor(toolbox: Toolbox, limits: Pick<HttpLimits, "pageReaders" | "heartbeatMs">, renewal: string) {
    this.#hello = { server: randomUUID(), version: VERSION, renewal };
    this.#toolbox = toolbox;
    this.#maxPages = limits.pageReaders;
    this.#pages = new StreamPool(limits.heartbeatMs, () => this.#stop());
  }

  /** Sends events to a response until it is closed. Returns an error if too many pages are open. */
  add(outgoing: ServerResponse): ErrorResponse | undefined {
    if (this.#pages.count >= this.#maxPages) {
      const message = `${this.#maxPages} pages are open, which is the limit. Close one, then try again.`;
      return { code: "busy", message, headers: { "retry-after": "5" } };
    }
    this.#pages.open(PAGES, outgoing).send("hello", this.#hello);
    if (this.#stops.length === 0) this.#start();
    return undefined;
  }

  close(): void {
    void this.#pages.close();
  }

  #start(): void {
    const toolbox = this.#toolbox;
    let { settings } = toolbox.project;
    const poll = setInterval(() => {
      this.#sent = { calls: 0, notices: 0 };
      if (toolbox.project.settings !== settings) this.#sendSoon("permissions");
      settings = toolbox.project.settings;
      void this.#compareSessions();
    }, POLL_MS).unref();
    void this.#compareSessions();
    this.#stops = [
      () => clearInterval(poll),
      toolbox.on("change", () => this.#sendSoon("tools")),
      toolbox.on("audit", (event) => this.#sendCall(event)),
      toolbox.on("question", (event) => {
        if (event.type === "question.asked") return this.#send("question", event);
        const { questionID, allowed, remember, reason, value, withdrawn } = event;
        this.#send("answer", { questionID, allowed, ...defined({ remember, reason, value, withdrawn }) });
      }),
      toolbox.on("notice", (notice) => {
        this.#sent.notices += 1;
        if (this.#sent.notices <= MAX_NOTICES) this.#send("notice", notice);
      }),
    ];
  }

  #stop(): void {
    for (const stop of this.#stops) stop();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#stops = [];
    this.#timers.clear();
    this.#newestSessions = undefined;
  }

  /** Sends an event at once, or later if it was just sent. */
  #sendSoon(change: Change): void {
    if (this.#timers.has(change)) return;
    const wait = Math.max(0, (this.#sentAt.get(change) ?? Number.NEGATIVE_INFINITY) + SPACING_MS - performance.now());
    const send = (): void => {
      this.#timers.delete(change);
      this.#sentAt.set(change, performance.now());
      this.#send(change, {});
    };
    this.#timers.set(change, setTimeout(send, wait).unref());
  }

  #send<E extends keyof ApiPageEvents>(event: E, data: ApiPageEvents[E]): void {
    const frame = Buffer.from(eventFrame({ event, data }));
    for (const stream of this.#pages.streams(PAGES)) {
      if (stream.unread > MAX_UNREAD_BYTES) stream.destroy();
      else stream.write(frame);
    }
  }

  #sendCall(event: AuditEvent): void {
    this.#sent.calls += 1;
    if (this.#sent.calls > MAX_CALLS) return this.#sendSoon("calls");
    if (event.type === "start") this.#send("call_started", event.call);
    else this.#send("call_ended", withSmallInput(event.call));
  }

  /** The first one differs if any has been changed or created. The others show whether one was removed. */
  async #compareSessions(): Promise<void> {
    this.#pollsToSkip -= 1;
    if (this.#isComparing || this.#pollsToSkip > 0) return;
    this.#isComparing = true;
    try {
      const store = await this.#toolbox.sessions.store();
      const { sessions } = await store.list({ limit: MAX_COMPARED });
      const newest = sessions.map(({ id, position, updatedAt }) => `${updatedAt} ${position} ${id}`);
      if (this.#newestSessions && !isDeepStrictEqual(newest, this.#newestSessions)) this.#sendSoon("sessions");
      this.#newestSessions = newest;
    } catch {
      // The database cannot be used. The list of sessions says why.
      this.#pollsToSkip = RETRY_POLLS;
    } finally {
      this.#isComparing = false;
    }
  }
}

function withSmallInput(call: ApiCall): ApiCall {
  return JSON.stringify(call.input).length <= MAX_INPUT ? call : { ...call, input: "[too large for an event]" };
}
