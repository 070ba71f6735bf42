import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** Time that a program and its children took. */
export interface Cost {
  /** Wall time, which is longer on a busy machine. */
  readonly ms: number;
  readonly cpuMs: number;
}

export interface Ended extends Cost {
  /** Exit code; null if the program was stopped. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Limit of CPU time for each program, in seconds. Unlike wall time, other work can't use it up. */
export const limitSeconds = Number(process.env["CORPUS_SECONDS"] ?? 60);

/** Wall limit as a multiple of the CPU limit, for programs that wait without computing. */
const wallFactor = 10;

/** Runs a Node.js program with the time limit. Run one at a time, see `cpuOfChildren`. */
export async function runProgram(
  directory: string,
  argv: readonly string[],
  seconds: number = limitSeconds,
): Promise<Ended> {
  const began = performance.now();
  const before = cpuOfChildren();
  const limited = ["-c", 'ulimit -t "$0" && exec "$@"', String(seconds), process.execPath];
  const child = spawn("sh", [...limited, ...argv], {
    cwd: directory,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 1000 * seconds * wallFactor,
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
  const ms = Math.round(performance.now() - began);
  return { code, stdout, stderr, ms, cpuMs: cpuOfChildren() - before };
}

/**
 * CPU time of all ended children in milliseconds. Linux counts it in hundredths of a second, also
 * for children that were killed and can't report it.
 */
function cpuOfChildren(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The name in parentheses may hold spaces; after it comes the third field of all.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return 10 * (Number(fields[16 - 3]) + Number(fields[17 - 3]));
}
