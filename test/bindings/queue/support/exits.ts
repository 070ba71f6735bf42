import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loaderArgs } from "../../../support/node-loader.js";

const script = fileURLToPath(new URL("publish-and-exit.ts", import.meta.url));

type Provider = "nats" | "rabbitmq" | "redis";

/**
 * Publishes in a new process that closes nothing. Returns Node's names of the resources that keep
 * the process alive after the answer. Rejects if the process doesn't end by itself.
 */
export async function keptAliveBy(
  provider: Provider,
  url: string,
  name: string,
): Promise<readonly string[]> {
  const { stdout } = await run([provider, url, name, "forget"], {});
  // `publish-and-exit.ts` prints such an array.
  return JSON.parse(stdout) as readonly string[];
}

/**
 * Publishes and closes in a new process, and returns the output. Rejects if the process doesn't
 * end by itself.
 */
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
