import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loaderArgs } from "../../../support/node-loader.js";

const script = fileURLToPath(new URL("publish-and-exit.ts", import.meta.url));

type Provider = "rabbitmq" | "redis";

/** Publishes in a process of its own, and gives the milliseconds that it lived. Rejects when it doesn't end on its own. */
export async function lifeOf(
  provider: Provider,
  url: string,
  name: string,
  end: "close" | "forget",
): Promise<number> {
  const began = performance.now();
  await run([provider, url, name, end], {});
  return performance.now() - began;
}

/** What a process of its own prints that publishes, and closes. */
export async function printedBy(
  provider: Provider,
  url: string,
  name: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout, stderr } = await run([provider, url, name, "close"], env);
  return stdout + stderr;
}

function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  return promisify(execFile)(process.execPath, [...loaderArgs, script, ...args], {
    timeout: 60_000,
    // With DEBUG=*, the loader prints much when it translates a file for the first time.
    maxBuffer: 2 ** 26,
    env: { ...process.env, ...env },
  });
}
