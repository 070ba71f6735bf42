import { mkdirSync, readFileSync, statfsSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** Linux keeps what is written below this folder in memory. */
const inMemory = "/dev/shm";

/** More than all tests that run at one time write, in bytes. */
const wantedBytes = 4 * 1024 ** 3;

/**
 * The folder in which tests make their temporary ones. Thousands of tests write a small project each:
 * a file system in memory takes a third of the CPU time that one on a disk takes. `TMPDIR` names another.
 */
export function temporaryFolder(): string {
  if (process.env["TMPDIR"] !== undefined || !suits(inMemory)) return tmpdir();
  const folder = join(inMemory, `skillc-test-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Containers often get a small one, or one whose programs can't be run. */
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
