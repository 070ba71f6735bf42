import { Console } from "node:console";
import { Writable } from "node:stream";
import type { Output } from "../io.js";

/**
 * Sends what handlers print to stderr, because stdout belongs to the protocol.
 *
 * @returns a function that restores console and stdout
 */
export function consoleToStderr(stderr: Output): () => void {
  const target = new Writable({
    decodeStrings: false,
    write(text: string | Uint8Array, _encoding, done) {
      stderr.write(String(text));
      done();
    },
  });
  const before = { ...console };
  Object.assign(console, new Console(target));
  const { write } = process.stdout;
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return () => {
    Object.assign(console, before);
    process.stdout.write = write;
  };
}
