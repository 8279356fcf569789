/** What is kept of a server's lists: far more than a model could choose from. */
const MOST_TOOLS = 1000;
const MOST_BYTES = 20_000_000;

/**
 * Takes the tools out of a server's lists before the client checks these: it would refuse the whole list for one tool
 * that is wrong.
 */
export class RawToolPages {
  #tools: unknown[] | undefined;
  #bytes = 0;
  #isFull = false;

  /** Whether the last list was longer than anybody could use. What did not fit was left out. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Sees every message before the client does. */
  readonly onMessage = (message: object): void => {
    if (this.#tools === undefined || !("result" in message) || !isPage(message.result)) return;
    for (const tool of message.result.tools) this.#add(tool, this.#tools);
    message.result.tools = [];
  };

  #add(tool: unknown, tools: unknown[]): void {
    this.#bytes += this.#isFull ? 0 : JSON.stringify(tool).length;
    this.#isFull ||= tools.length === MOST_TOOLS || this.#bytes > MOST_BYTES;
    if (!this.#isFull) tools.push(tool);
  }

  /** The tools of all lists that come while the work is done. One work at a time. */
  async during(work: () => Promise<void>): Promise<unknown[]> {
    const tools: unknown[] = [];
    this.#tools = tools;
    this.#bytes = 0;
    this.#isFull = false;
    try {
      await work();
      return tools;
    } finally {
      this.#tools = undefined;
    }
  }
}

function isPage(result: unknown): result is { tools: unknown[] } {
  return typeof result === "object" && result !== null && "tools" in result && Array.isArray(result.tools);
}
