import { connect, type Socket } from "node:net";

export interface Load {
  readonly port: number;
  readonly path: string;
  readonly token: string;
  readonly requests: number;
  /** Concurrent connections. Each sends one request at a time. */
  readonly connections: number;
}

/** Sends the requests and reads every response. Rejects if a status is not 200 or a body has another size. */
export async function load({ port, path, token, requests, connections }: Load, bodyBytes: number): Promise<void> {
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  let left = requests;
  const work = async (): Promise<void> => {
    const socket = connect(port, "127.0.0.1");
    try {
      while (left > 0) {
        left -= 1;
        socket.write(request);
        await readAnswer(socket, bodyBytes);
      }
    } finally {
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
}

function readAnswer(socket: Socket, bodyBytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = "";
    let missing = Number.NaN;
    const read = (chunk: Buffer): void => {
      if (Number.isNaN(missing)) {
        head += chunk.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        missing = end + 4 + bodyBytes - head.length;
        if (!head.startsWith("HTTP/1.1 200 ")) return finish(new Error(head.slice(0, end)));
      } else missing -= chunk.length;
      if (missing < 0) finish(new Error("The response is larger than expected."));
      if (missing === 0) finish();
    };
    const finish = (error?: Error): void => {
      socket.off("data", read).off("error", finish);
      if (error) reject(error);
      else resolve();
    };
    socket.on("data", read).on("error", finish);
  });
}
