import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const script = fileURLToPath(new URL("publish-and-exit.ts", import.meta.url));

/** Publishes in a process of its own, and gives the milliseconds that it lived. Rejects when it doesn't end on its own. */
export async function lifeOf(
  provider: "rabbitmq" | "redis",
  url: string,
  name: string,
  end: "close" | "forget",
): Promise<number> {
  const began = performance.now();
  const args = ["--import", "jiti/register", script, provider, url, name, end];
  await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  return performance.now() - began;
}
