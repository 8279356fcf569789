import type { KnownSession } from "./check-log.ts";
import { type Plan, toPrompt } from "./planned-model.ts";
import { type SeenEvent, SessionReader } from "./session-reader.ts";
import type { Answer, SessionServer } from "./session-server.ts";

const AGENT = { agent: "langchain", model: "openai:scripted" };
/** The events that end a turn. */
const ENDS: readonly string[] = ["completed", "interrupted", "error"];

export interface DriverParts {
  readonly server: SessionServer;
  readonly chance: () => number;
  /** A plan with a new name. */
  readonly plan: () => Plan;
  /** Called with each event that a client sees, and with each request that was acknowledged. */
  readonly progress: (what: "event" | "acknowledged") => void;
}

/**
 * A session, the clients that read it, and one that sends prompts and answers questions. A request that fails because the server
 * is gone rejects; it may have had an effect.
 */
export class DrivenSession implements KnownSession {
  readonly id: string;
  readonly readers: readonly SessionReader[];
  readonly prompts = new Map<string, boolean>();
  readonly answers = new Map<string, boolean>();
  readonly cancels = { sent: 0, acknowledged: 0 };
  /** The ids of branches that were acknowledged, with the position of the last event that they must have. */
  readonly branches = new Map<string, number>();
  /** Requests that were refused. */
  readonly refused: string[] = [];
  /** Whether turns are left to run to their end. */
  isCalm = false;
  readonly #parts: DriverParts;
  readonly #checks = new Set<() => void>();

  private constructor(id: string, parts: DriverParts) {
    this.id = id;
    this.#parts = parts;
    const { server, chance, progress } = parts;
    const steady = new SessionReader(server, id, {
      onEvent: (event) => {
        progress("event");
        this.#react(event).catch(() => {
          // The server is gone.
        });
        for (const check of this.#checks) check();
      },
    });
    const restless = new SessionReader(server, id, {
      leaves: () => chance() < 0.1,
      resumesBy: () => (chance() < 0.5 ? "query" : "header"),
      onEvent: () => progress("event"),
    });
    this.readers = [steady, restless];
  }

  /** A session that exists. */
  static of(id: string, parts: DriverParts): DrivenSession {
    return new DrivenSession(id, parts);
  }

  /** Creates the session. `lost` is called with the prompt if it is unknown whether the session was created. */
  static async create(parts: DriverParts, lost: (prompt: string) => void): Promise<DrivenSession> {
    const prompt = toPrompt(parts.plan());
    const request = parts.server.post<{ readonly id: string }>("/api/sessions", { prompt, ...AGENT });
    const { status, body } = await request.catch((error: unknown) => {
      lost(prompt);
      throw error;
    });
    if (status !== 201) throw refusal("a new session", { status, body });
    parts.progress("acknowledged");
    const session = new DrivenSession(body.id, parts);
    session.prompts.set(prompt, true);
    return session;
  }

  /** Sends a prompt. Resolves to its position when it is acknowledged. */
  async send(): Promise<number> {
    const prompt = toPrompt(this.#parts.plan());
    this.prompts.set(prompt, false);
    const path = `/api/sessions/${this.id}/messages`;
    const { status, body } = await this.#parts.server.post<{ readonly position: number }>(path, { prompt });
    if (status !== 202) throw refusal(`a message to ${this.id}`, { status, body });
    this.#parts.progress("acknowledged");
    this.prompts.set(prompt, true);
    return body.position;
  }

  /** The event that ends the turn that began at a position. */
  end(position: number): Promise<SeenEvent> {
    const [reader] = this.readers as [SessionReader];
    return new Promise((resolve) => {
      const check = (): void => {
        const end = reader.durable.find(({ id, event }) => id > position && ENDS.includes(event));
        if (!end) return;
        this.#checks.delete(check);
        resolve(end);
      };
      this.#checks.add(check);
      check();
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.readers.map((reader) => reader.close()));
  }

  async #react({ event, id = 0, data }: SeenEvent): Promise<void> {
    const { chance } = this.#parts;
    if (event === "permission") return this.#answer(String(data.questionID));
    if (event !== "tool_use" || this.isCalm) return;
    const which = chance();
    if (which < 0.05) await this.#cancel();
    else if (which < 0.1) await this.#branch(id);
  }

  async #answer(questionID: string): Promise<void> {
    this.answers.set(questionID, false);
    const status = await this.#post(`questions/${questionID}`, { allowed: true }, () => {});
    if (status === 200) this.answers.set(questionID, true);
  }

  async #cancel(): Promise<void> {
    this.cancels.sent += 1;
    await this.#post("cancel", {}, ({ cancelled }) => {
      if (cancelled === true) this.cancels.acknowledged += 1;
    });
  }

  async #branch(at: number): Promise<void> {
    await this.#post("branch", { at }, ({ id }) => void this.branches.set(String(id), at));
  }

  async #post(path: string, body: object, accepted: (body: Record<string, unknown>) => void): Promise<number> {
    const { server, progress } = this.#parts;
    const answer = await server.post(`/api/sessions/${this.id}/${path}`, body);
    if (answer.status < 300) {
      accepted(answer.body);
      progress("acknowledged");
      // A question that was asked before the server was killed is closed.
    } else if (answer.status !== 409 && answer.status !== 408)
      this.refused.push(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.status;
  }
}

/** On a machine that is too busy, a request may not arrive in time: that is no refusal. */
function refusal(what: string, { status, body }: Answer<unknown>): Error {
  return new Error(`${what}: ${status} ${JSON.stringify(body)}`, { cause: status === 408 ? "late" : "refused" });
}
