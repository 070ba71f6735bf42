/**
 * Starts a process and ends it: its whole group, within a limited time. A process that leaves a
 * child behind, prints without end, or reads no input can't hold up the call.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { atExit } from "../../../runtime/process.js";

/** A process to start. */
export interface ProcessPlan {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute path of an existing folder. */
  readonly cwd: string;
  /** All environment variables. */
  readonly env: { readonly [name: string]: string };
  /** Text for standard input; an empty input if undefined. */
  readonly stdin: string | undefined;
  /**
   * Set for bubblewrap: the options that it reads from descriptor 4. It reports on descriptor 3, and
   * reads an empty file from descriptor 5 if an option names it.
   */
  readonly sandboxOptions?: readonly string[];
  /** Ends what the process has started elsewhere, such as a container. */
  readonly kill?: () => void;
  /**
   * Watches the process while it runs.
   *
   * @param stop ends the process
   * @returns a function that ends the watch
   */
  readonly watch?: (stop: () => void) => () => void;
}

/** Receives the output of a process. A sink keeps what it needs. */
export interface ProcessSinks {
  readonly stdout: (chunk: Buffer) => void;
  readonly stderr: (chunk: Buffer) => void;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** False if bubblewrap ended before it started the program. */
  readonly isStarted: boolean;
}

/** A process that runs. */
export interface RunningProcess {
  /** Resolves when the process and its group have ended; rejects if it could not be started. */
  readonly ended: Promise<ProcessEnd>;
  /** Ends the process. Resolves when it has ended, and anyway after a few seconds. */
  stop(): Promise<void>;
}

/** Time from SIGTERM to SIGKILL, in milliseconds. */
export const graceMs = 2000;

/** Time in which the system ends a killed process, in milliseconds. */
const killMs = 1000;

/** Silence after which the output of a process that has ended is complete, in milliseconds. */
const quietMs = 100;

/** More output than any pipe holds: what comes later is from a child that the process left behind. */
const mostBuffered = 1024 * 1024;

/**
 * Starts a process.
 *
 * @throws the system's error, such as `E2BIG`, if it is known at once
 */
export function startProcess(plan: ProcessPlan, sinks: ProcessSinks): RunningProcess {
  const isSandbox = plan.sandboxOptions !== undefined;
  const hasEmptyFile = plan.sandboxOptions?.includes("--ro-bind-data") === true;
  const child = spawn(plan.program, plan.args, {
    cwd: plan.cwd,
    env: plan.env,
    detached: true,
    stdio: [
      plan.stdin === undefined ? "ignore" : "pipe",
      "pipe",
      "pipe",
      ...(isSandbox ? (["pipe", "pipe"] as const) : []),
      // Bubblewrap would pass an unused descriptor on.
      ...(hasEmptyFile ? (["pipe"] as const) : []),
    ],
  });
  const forget = atExit(() => killGroup(child.pid, "SIGKILL"));
  const report = new SandboxReport(child);
  send(child, 0, plan.stdin);
  send(child, 4, plan.sandboxOptions?.map((each) => `${each}\0`).join(""));
  send(child, 5, hasEmptyFile ? "" : undefined);
  const ended = endOf(child, sinks).then(({ code, signal }) => ({
    code,
    signal,
    isStarted: !isSandbox || report.isEnded,
  }));
  const settled = ended.then(forget, forget);
  return {
    ended,
    async stop() {
      // Nobody may wait for a process that has ended in the meantime.
      ended.catch(() => undefined);
      if (!killGroup(isSandbox ? report.pid : child.pid, "SIGTERM"))
        killGroup(child.pid, "SIGKILL");
      if (await isSettled(settled, graceMs)) return;
      plan.kill?.();
      killGroup(report.pid, "SIGKILL");
      killGroup(child.pid, "SIGKILL");
      await isSettled(settled, killMs);
    },
  };
}

/** Writes to an input of the process, which may close it without reading. */
function send(child: ChildProcess, descriptor: number, text: string | undefined): void {
  const stream = child.stdio[descriptor];
  if (text === undefined || stream == null || !("write" in stream)) return;
  // EPIPE and ECONNRESET: the process does not want the rest.
  stream.on("error", () => undefined);
  stream.end(text);
}

/** What bubblewrap reports as JSON, a line each: the first process inside, and its exit code. */
class SandboxReport {
  #text = "";

  constructor(child: ChildProcess) {
    const stream = readable(child, 3);
    stream?.on("error", () => undefined);
    stream?.on("data", (chunk: Buffer) => void (this.#text += chunk.toString("latin1")));
  }

  /** Id of the first process inside, which leads the group of the program. */
  get pid(): number | undefined {
    const digits = /"child-pid": (\d+)/.exec(this.#text)?.[1];
    return digits === undefined ? undefined : Number(digits);
  }

  /** True if the program ran, and has ended. */
  get isEnded(): boolean {
    return this.#text.includes('"exit-code"');
  }
}

/** @param descriptor of an output of the process */
function readable(child: ChildProcess, descriptor: number): Readable | undefined {
  const stream = child.stdio[descriptor];
  return stream != null && "read" in stream ? stream : undefined;
}

type Exit = Pick<ProcessEnd, "code" | "signal">;

function endOf(child: ChildProcess, sinks: ProcessSinks): Promise<Exit> {
  return new Promise((resolve, reject) => {
    const outputs = [1, 2, 3].flatMap((each) => readable(child, each) ?? []);
    let received = 0;
    const listen = (at: number, sink: (chunk: Buffer) => void): void => {
      outputs[at]?.on("error", () => undefined);
      outputs[at]?.on("data", (chunk: Buffer) => {
        received += chunk.byteLength;
        sink(chunk);
      });
    };
    listen(0, sinks.stdout);
    listen(1, sinks.stderr);
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      // Children that stayed in the group end with it.
      killGroup(child.pid, "SIGKILL");
      let isClosed = false;
      const finish = (): void => {
        isClosed = true;
        for (const each of outputs) each.destroy();
        resolve({ code, signal });
      };
      child.on("close", () => {
        if (!isClosed) finish();
      });
      const atExit = received;
      const wait = (seen: number): void => {
        setTimeout(() => {
          // Node reads what has arrived before it calls this.
          setImmediate(() => {
            if (isClosed) return;
            if (received === seen || received - atExit > mostBuffered) finish();
            else wait(received);
          });
        }, quietMs);
      };
      wait(received);
    });
  });
}

/** Sends a signal to a group; returns whether the group exists. */
function killGroup(leader: number | undefined, signal: NodeJS.Signals): boolean {
  if (leader === undefined || leader <= 1) return false;
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}

/** Waits for a promise, up to a limit; returns whether it has settled. */
async function isSettled(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
