/** Far more than a model can choose from. */
const MAX_TOOLS = 1000;
const MAX_BYTES = 20_000_000;

/** Takes the tools out of the server's messages before the client validates them: it would reject a list with one invalid tool. */
export class RawToolPages {
  #tools: unknown[] | undefined;
  #bytes = 0;
  #isFull = false;

  /** Whether tools of the last list were dropped because it was too long. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Must receive each message before the client does. */
  readonly onMessage = (message: object): void => {
    if (this.#tools === undefined || !("result" in message) || !isPage(message.result)) return;
    for (const tool of message.result.tools) this.#add(tool, this.#tools);
    message.result.tools = [];
  };

  #add(tool: unknown, tools: unknown[]): void {
    this.#bytes += this.#isFull ? 0 : JSON.stringify(tool).length;
    this.#isFull ||= tools.length === MAX_TOOLS || this.#bytes > MAX_BYTES;
    if (!this.#isFull) tools.push(tool);
  }

  /** Collects the tools of all lists that arrive during `work`. Must not run concurrently. */
  async collect(work: () => Promise<void>): Promise<unknown[]> {
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
