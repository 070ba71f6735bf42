import { systemCode } from "../files/system-code.js";

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
