import { Readable, Writable } from "node:stream";
import { type SkillcMcpServer, StdioServerTransport } from "@skillc/runtime/mcp";
import type { Io } from "../io.js";

/** Serves one client over standard input and output, until it closes its end or the system asks. */
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
  const end = server.serveStdio(new StdioServerTransport(input, output));
  await new Promise<void>((resolve) => {
    input.once("close", resolve);
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
  await end();
}
