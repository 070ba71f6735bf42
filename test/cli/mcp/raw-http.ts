/** HTTP requests as bytes, because clients would repair them. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Opens a connection until the test ends. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ""));
  // A server may close a connection before it has read everything.
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** Sends a request, and returns the whole answer. */
export async function sendRaw(url: string, lines: readonly string[], body = ""): Promise<string> {
  const socket = await openSocket(url);
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  return answerOf(socket);
}

/** Reads until the server closes the connection. */
export async function answerOf(socket: Socket): Promise<string> {
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
  await new Promise<void>((resolve) => void socket.once("close", () => resolve()));
  return answer;
}

/** Returns the status of an answer. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}
