import type { Transport } from "@modelcontextprotocol/client";

/** The two ends of a connection within one process. What is sent arrives as it would from another process: as JSON. */
export function memoryTransports(): readonly [Transport, Transport] {
  const [near, far] = [new MemoryEnd(), new MemoryEnd()];
  near.other = far;
  far.other = near;
  return [near, far];
}

class MemoryEnd implements Transport {
  other: MemoryEnd | undefined;
  onclose?: () => void;
  onmessage?: NonNullable<Transport["onmessage"]>;

  async start(): Promise<void> {}

  async send(message: Parameters<Transport["send"]>[0]): Promise<void> {
    const text = JSON.stringify(message);
    queueMicrotask(() => this.other?.onmessage?.(JSON.parse(text)));
  }

  async close(): Promise<void> {
    const { other } = this;
    this.other = undefined;
    if (other) other.other = undefined;
    this.onclose?.();
    other?.onclose?.();
  }
}
