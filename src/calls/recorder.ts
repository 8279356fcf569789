import { join } from "node:path";
import type { ApiCall, ApiCallStart } from "../core/api-page.ts";
import type { Caller } from "../core/caller.ts";
import type { ToolEvent } from "../core/events.ts";
import type { Truncated } from "../core/result.ts";
import { Listeners } from "../platform/values/listeners.ts";
import type { Environment } from "../settings/defaults.ts";
import type { Settings } from "../settings/settings.ts";
import { type AuditEntry, AuditLog } from "./audit.ts";
import { callOfEntry } from "./audit-entry.ts";
import { createMask, type Mask } from "./mask.ts";

/** The shortest time between two searches for old outputs. */
const SWEEP_EVERY_MS = 10 * 60_000;

/** The audit log of a user. */
export function auditFile(toolwrightHome: string): string {
  return join(toolwrightHome, "audit.log");
}

/** A call has started, or its end has been written to the audit log. Secrets are masked. */
export type AuditEvent =
  | { readonly type: "start"; readonly call: ApiCallStart }
  | { readonly type: "end"; readonly call: ApiCall };

/** Records calls: notifies listeners, writes the audit log and the logs of sessions, deletes old outputs. */
export class Recorder {
  readonly #home: string;
  readonly #env: Environment;
  readonly #settings: () => Settings;
  readonly #log: (event: ToolEvent, caller: Caller) => Promise<void> | undefined;
  readonly #audit: AuditLog;
  readonly #events = new Listeners<ToolEvent>();
  readonly #audits = new Listeners<AuditEvent>();
  #masking: { settings: Settings; mask: Mask } | undefined;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #spilledBytes = 0;

  /** `log` adds an event to the log of its session. It returns undefined if there is nothing to wait for. */
  constructor(
    home: string,
    env: Environment,
    settings: () => Settings,
    log: (event: ToolEvent, caller: Caller) => Promise<void> | undefined,
  ) {
    this.#home = home;
    this.#env = env;
    this.#settings = settings;
    this.#log = log;
    this.#audit = new AuditLog(
      auditFile(home),
      () => this.#mask(),
      (entries) => this.#auditEnds(entries),
    );
  }

  /** Returns undefined if there is nothing to wait for. Rejects if the start of a call could not be stored. */
  record(event: ToolEvent, input: unknown, caller: Caller): Promise<void> | undefined {
    const isEnd = event.type === "tool.complete" || event.type === "tool.failed";
    if (isEnd) this.#audit.record(event, input, caller);
    else if (event.type === "tool.start" && !this.#audits.isEmpty) this.#auditStart(event, caller);
    this.#events.emit(event);
    if (isEnd) this.#sweep(event.result.notes.truncated);
    return this.#log(event, caller);
  }

  onEvent(listener: (event: ToolEvent) => void): () => void {
    return this.#events.listen(listener);
  }

  onAudit(listener: (event: AuditEvent) => void): () => void {
    return this.#audits.listen(listener);
  }

  flush(): void {
    this.#audit.flush();
  }

  #auditStart({ callID, tool, sessionID, agent, parentID, at }: ToolEvent, caller: Caller): void {
    const call = this.#mask()({ callID, tool, sessionID, agent, parentID, at }) as ApiCallStart;
    this.#notifyAudit({ type: "start", call: { ...call, caller } });
  }

  #auditEnds(entries: readonly AuditEntry[]): void {
    if (this.#audits.isEmpty) return;
    for (const entry of entries) {
      const call = callOfEntry(entry);
      if (call) this.#notifyAudit({ type: "end", call });
    }
  }

  #notifyAudit(event: AuditEvent): void {
    this.#audits.emit(event);
  }

  #mask(): Mask {
    const settings = this.#settings();
    if (this.#masking?.settings !== settings) {
      const values = settings.secrets.flatMap((name) => this.#env[name] ?? []);
      this.#masking = { settings, mask: createMask({ values }) };
    }
    return this.#masking.mask;
  }

  /** Deletes old outputs every ten minutes, and when new ones have used a tenth of the limit. The call does not wait for it. */
  #sweep(truncated: Truncated | undefined): void {
    const { keepDays, maxMb } = this.#settings().outputs;
    this.#spilledBytes += truncated?.totalBytes ?? 0;
    const isDue = performance.now() - this.#sweptAt > SWEEP_EVERY_MS;
    if (!isDue && this.#spilledBytes < (maxMb * 1024 * 1024) / 10) return;
    this.#sweptAt = performance.now();
    this.#spilledBytes = 0;
    void import("../host/output/outputs.ts").then(({ sweepOutputs }) =>
      sweepOutputs(this.#home, { keepDays, maxMb, now: Date.now() }),
    );
  }
}
