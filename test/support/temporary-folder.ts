import { mkdirSync, readFileSync, statfsSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** Linux keeps files below this folder in memory. */
const inMemory = "/dev/shm";

/** Required free space in bytes. All tests together write less at one time. */
const wantedBytes = 4 * 1024 ** 3;

/**
 * Parent of the tests' temporary folders. Thousands of tests each write a small project, and a file
 * system in memory takes a third of a disk's CPU time. `TMPDIR` names another folder.
 */
export function temporaryFolder(): string {
  if (process.env["TMPDIR"] !== undefined || !suits(inMemory)) return tmpdir();
  const folder = join(inMemory, `skillc-test-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Checks the free space, and that programs can run. Containers often have a small or restricted
 * file system there.
 */
function suits(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
    const mount = mounts.findLast((each) => each.split(" ")[1] === folder)?.split(" ");
    const options = mount?.[3]?.split(",") ?? ["noexec"];
    return bavail * bsize >= wantedBytes && options.includes("rw") && !options.includes("noexec");
  } catch {
    return false;
  }
}
