import { connect, type Socket } from "node:net";

/** Connections that read server-sent events. */
export interface SseClients {
  /** Resolves when every connection has received so many events since the last call. */
  receive(events: number): Promise<void>;
  close(): void;
}

/** Opens connections, and resolves when every one has the headers of its response. */
export async function openClients(port: number, path: string, token: string, count: number): Promise<SseClients> {
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const received = new Array<number>(count).fill(0);
  let [expected, missing] = [0, 0];
  let done: (() => void) | undefined;
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connect(port, "127.0.0.1").setNoDelay();
    sockets.push(socket);
    socket.write(request);
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.once("data", (head: Buffer) => {
        if (head.toString("latin1").startsWith("HTTP/1.1 200 ")) resolve();
        else reject(new Error(head.toString("latin1")));
      });
    });
    socket.on("data", (chunk: Buffer) => {
      const before = received[index] as number;
      const after = before + eventsIn(chunk);
      received[index] = after;
      if (before >= expected || after < expected) return;
      missing -= 1;
      if (missing === 0) done?.();
    });
  }
  return {
    receive(events) {
      received.fill(0);
      [expected, missing] = [events, count];
      return new Promise((resolve) => {
        done = resolve;
      });
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Each event has one `data` field. */
function eventsIn(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf("\ndata: "); at >= 0; at = chunk.indexOf("\ndata: ", at + 1)) count += 1;
  return count;
}
