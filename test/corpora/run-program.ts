import { spawn } from "node:child_process";

export interface Ended {
  /** Null where it was stopped. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** Runs a program of Node.js, and ends it when its time is over. */
export async function runProgram(
  directory: string,
  argv: readonly string[],
  limitMs: number,
): Promise<Ended> {
  const began = performance.now();
  const child = spawn(process.execPath, [...argv], {
    cwd: directory,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: limitMs,
    killSignal: "SIGKILL",
    env: { ...process.env, NO_COLOR: "1" },
  });
  const texts = [child.stdout, child.stderr].map(async (stream) => {
    const chunks: Buffer[] = [];
    // A stream without an encoding gives buffers.
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const [stdout = "", stderr = ""] = await Promise.all(texts);
  return { code, stdout, stderr, ms: Math.round(performance.now() - began) };
}
