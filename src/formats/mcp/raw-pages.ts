/**
 * Takes the tools out of a server's lists before the client checks these: it would refuse the whole list for one tool
 * that is wrong.
 */
export class RawPages {
  #tools: unknown[] | undefined;

  /** Sees every message before the client does. */
  readonly onMessage = (message: object): void => {
    if (this.#tools === undefined || !("result" in message) || !isPage(message.result)) return;
    this.#tools.push(...message.result.tools);
    message.result.tools = [];
  };

  /** The tools of all lists that come while the work is done. One work at a time. */
  async during(work: () => Promise<void>): Promise<unknown[]> {
    const tools: unknown[] = [];
    this.#tools = tools;
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
