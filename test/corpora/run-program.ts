import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** What a program took, and its children. */
export interface Cost {
  /** By the clock on the wall; more on a machine that has other work to do. */
  readonly ms: number;
  readonly cpuMs: number;
}

export interface Ended extends Cost {
  /** Null where it was stopped. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Seconds of CPU for each program, so that a machine which has other work to do cuts nothing that another would not. */
export const limitSeconds = Number(process.env["CORPUS_SECONDS"] ?? 60);

/** What waits, and computes nothing, is ended after so much more time. */
const wallFactor = 10;

/** Runs a program of Node.js, and ends it when its time is over. One at a time: see `cpuOfChildren`. */
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
 * Milliseconds that all children took which have ended, as Linux counts them, in hundredths of a
 * second: of one that was killed, too, which can't say it itself.
 */
function cpuOfChildren(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The name in parentheses may hold spaces; after it comes the third field of all.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return 10 * (Number(fields[16 - 3]) + Number(fields[17 - 3]));
}
