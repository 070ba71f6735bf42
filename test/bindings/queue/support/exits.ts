import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loaderArgs } from "../../../support/node-loader.js";

const script = fileURLToPath(new URL("publish-and-exit.ts", import.meta.url));

type Provider = "nats" | "rabbitmq" | "redis";

/**
 * Publishes in a process of its own that closes nothing, and gives Node's names of what keeps that
 * process alive once the answer is there. Rejects when it doesn't end on its own.
 */
export async function keptAliveBy(
  provider: Provider,
  url: string,
  name: string,
): Promise<readonly string[]> {
  const { stdout } = await run([provider, url, name, "forget"], {});
  // The script's own form.
  return JSON.parse(stdout) as readonly string[];
}

/**
 * What a process of its own prints that publishes, and closes. Rejects when it doesn't end on its
 * own.
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
