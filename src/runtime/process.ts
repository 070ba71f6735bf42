import { systemCode } from "./files/system-code.js";

/** Whether a process with that number runs on this machine. */
export function isRunning(pid: number): boolean {
  // 0 would mean this process's own group; no system gives a number that is larger.
  if (!Number.isInteger(pid) || pid < 1 || pid > 0x7fffffff) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Someone else's process runs all the same.
    return systemCode(error) === "EPERM";
  }
}

const tasks = new Set<() => void>();
let listening = false;

/**
 * Runs a task when the process exits by itself or by `process.exit`; a signal that kills it runs
 * none. Returns what undoes this.
 */
export function atExit(task: () => void): () => void {
  // One listener for all: Node warns of leaks from the eleventh on.
  if (!listening) process.on("exit", runAll);
  listening = true;
  tasks.add(task);
  return () => void tasks.delete(task);
}

function runAll(): void {
  for (const task of tasks) task();
}
