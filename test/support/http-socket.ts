import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { TOKEN } from "./http-server.ts";

/** A TCP connection, closed at the end of the current test. */
export async function socketTo(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return socket;
}

/** The head of a request, with defaults for the required headers. */
export function head(line: string, headers: Record<string, string> = {}): string {
  const all = { Host: "127.0.0.1", Authorization: `Bearer ${TOKEN}`, Connection: "close", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${line} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
}

/** A parsed response. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly error?: { code: string; message: string };
}

/** Sends bytes and reads until the server closes the connection. */
export async function exchange(port: number, bytes: string | Uint8Array): Promise<RawAnswer> {
  const socket = await socketTo(port);
  socket.write(bytes);
  return readAnswer(socket);
}

/** Reads until the server closes the connection. */
export async function readAnswer(socket: Socket): Promise<RawAnswer> {
  const text = await new Promise<string>((resolve) => {
    let read = "";
    socket.setEncoding("utf8").on("data", (more: string) => {
      read += more;
    });
    socket.once("close", () => resolve(read));
  });
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
  const [, error] = /(\{"error":.*\})/.exec(text) ?? [];
  return { status, text, ...(error === undefined ? {} : JSON.parse(error)) };
}
