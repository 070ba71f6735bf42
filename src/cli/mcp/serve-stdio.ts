import { Readable, Writable } from "node:stream";
import { type SkillcMcpServer, StdioServerTransport } from "@skillc/runtime/mcp";
import type { Io } from "../io.js";

/**
 * Serves one client over standard input and output, until the client closes its end, sends a line
 * that is too long, or the system ends the command. In the last case, it lets calls end and answers
 * them.
 */
export async function serveStdio(
  { signal, stdin, stdout }: Io,
  server: SkillcMcpServer,
): Promise<void> {
  const input = Readable.from(stdin, { objectMode: false });
  const output = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      stdout.write(text);
      done();
    },
  });
  const transport = new ClosingTransport(input, output);
  const end = server.serveStdio(transport);
  const aborted = new Promise<"aborted">((resolve) => {
    if (signal?.aborted === true) resolve("aborted");
    signal?.addEventListener("abort", () => resolve("aborted"), { once: true });
  });
  if ((await Promise.race([transport.closed, aborted])) === "aborted") await server.close();
  await end();
}

/** A transport that says when it is closed, by either side. */
class ClosingTransport extends StdioServerTransport {
  #resolve: () => void = () => undefined;
  readonly closed = new Promise<void>((resolve) => (this.#resolve = resolve));

  override async close(): Promise<void> {
    await super.close();
    this.#resolve();
  }
}
