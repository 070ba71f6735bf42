import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { shutdown } from "../../../../src/runtime/shutdown.js";
import { loaderArgs } from "../../../support/node-loader.js";
import { get, serve } from "./support.js";

const run = promisify(execFile);

/** Runs a program beside this file to its end, or kills it when there seems to be none. */
async function program(name: string, ...args: readonly string[]): Promise<string> {
  const path = fileURLToPath(new URL(`./programs/${name}`, import.meta.url));
  const { stdout } = await run(process.execPath, [...loaderArgs, path, ...args], {
    timeout: 60_000,
  });
  return stdout.trim();
}

describe("connections", () => {
  it("idle connections do not keep a process alive", async () => {
    const { url } = await serve((response) =>
      response.setHeader("keep-alive", "timeout=600").end("1"),
    );
    expect(await program("one-call.ts", url)).toBe("success");
  });

  it("all tools of an origin share connections", async () => {
    const ports = new Set<number | undefined>();
    const { url } = await serve((response, _request, raw) => {
      ports.add(raw.socket.remotePort);
      response.end("1");
    });
    for (let at = 0; at < 20; at += 1) await get(`${url}/${at}`);
    // A connection is free again a turn of the event loop after its answer: calls back to back use two.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it("shutdown closes connections, and the next call opens new ones", async () => {
    const { url } = await serve();
    await get(url);
    await shutdown();
    expect((await get(url)).result.status).toBe("success");
    await shutdown();
  });

  it("shutdown waits for calls under way", async () => {
    const { url } = await serve((response) => void setTimeout(() => response.end("1"), 50));
    const call = get(url);
    await shutdown();
    expect((await call).result.data).toBe(1);
  });
});
