import { systemCode } from "./files/system-code.js";

/** Returns whether a process with this id runs on this machine. */
export function isRunning(pid: number): boolean {
  // Id 0 would mean this process's own group. No system assigns an id above 2^31 - 1.
  if (!Number.isInteger(pid) || pid < 1 || pid > 0x7fffffff) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return systemCode(error) === "EPERM";
  }
}

const tasks = new Set<() => void>();
let listening = false;

/**
 * Runs a task when the process exits normally or calls `process.exit`. A signal that kills the
 * process runs no task.
 *
 * @returns a function that removes the task
 */
export function atExit(task: () => void): () => void {
  // All tasks share one listener: Node warns about a leak from the eleventh listener on.
  if (!listening) process.on("exit", runAll);
  listening = true;
  tasks.add(task);
  return () => void tasks.delete(task);
}

function runAll(): void {
  for (const task of tasks) task();
}
