import type { Transport } from "@modelcontextprotocol/client";
import { isObject } from "../../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import type { ImportScope } from "./import-scope.ts";

/** The client's end of a server that a file has started on stdio. Other lines that the file prints go to `onText`. */
export class ScopeTransport implements Transport {
  readonly #scope: ImportScope;
  readonly #onText: (line: string) => void;
  onclose?: () => void;
  onmessage?: NonNullable<Transport["onmessage"]>;

  constructor(scope: ImportScope, onText: (line: string) => void) {
    this.#scope = scope;
    this.#onText = onText;
  }

  async start(): Promise<void> {
    this.#scope.stdout.onLine = (line) => {
      const message: unknown = tryOrUndefined(() => JSON.parse(line));
      if (isObject(message) && message.jsonrpc === "2.0") this.onmessage?.(message as never);
      else this.#onText(line);
    };
  }

  async send(message: Parameters<Transport["send"]>[0]): Promise<void> {
    const line = JSON.stringify(message);
    this.#scope.runMessage(() => this.#scope.stdin.deliver(line));
  }

  async close(): Promise<void> {
    this.#scope.stdout.onLine = () => {};
    this.#scope.run(() => this.#scope.stdin.end());
    this.onclose?.();
  }
}
