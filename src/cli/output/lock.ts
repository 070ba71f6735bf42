import { join, posix } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { shown } from "../../core/names.js";
import {
  makeOwnFolder,
  refuseObstacle,
  type LockAttempt,
  takeLock,
} from "@skillc/runtime/internal";
import { CommandFailure, orSayWhatIsInTheWay } from "../exit.js";

export interface LockOptions {
  /** Time limit of waiting for another holder. */
  readonly timeoutMs: number;
  /**
   * Called once, when the lock is there already; without a holder when the file doesn't tell one.
   */
  readonly onWait?: (holder: number | undefined) => void;
}

type Taken = Extract<LockAttempt, { kind: "taken" }>;

/**
 * Holds a lock file while `action` runs, so that two processes don't write one output folder at
 * once. The lock of an ended process is taken over.
 *
 * @param path below `root`, with `/`
 * @throws CommandFailure if the time limit passes, or if the path or a parent is blocked by
 * something else or a link
 */
export async function withLock<T>(
  root: string,
  path: string,
  options: LockOptions,
  action: () => Promise<T>,
): Promise<T> {
  const release = await acquire(root, path, options);
  try {
    return await action();
  } finally {
    release();
  }
}

const pause = 50;

async function acquire(
  root: string,
  path: string,
  { timeoutMs, onWait }: LockOptions,
): Promise<() => void> {
  const deadline = performance.now() + timeoutMs;
  for (let isFirst = true; ; isFirst = false) {
    // The holder before may have removed the folder.
    orSayWhatIsInTheWay(() => {
      makeOwnFolder(root, posix.dirname(path));
      refuseObstacle(root, path, "file");
    });
    const attempt = takeLock(join(root, path));
    if (attempt.kind === "held") return attempt.release;
    // Nobody removes a file that names no holder.
    if (attempt.isReadable && attempt.holder === undefined)
      throw stillTaken(join(root, path), attempt);
    if (isFirst) onWait?.(attempt.holder?.pid);
    if (performance.now() >= deadline) throw stillTaken(join(root, path), attempt);
    await wait(pause);
  }
}

function stillTaken(path: string, { holder, isReadable }: Taken): CommandFailure {
  if (holder === undefined) {
    return CommandFailure.input(
      isReadable
        ? `\`${path}\` should be skillc's lock, but it names no process`
        : `the lock \`${path}\` can't be read`,
      "end every other `skillc generate` on this project, then delete it",
    );
  }
  const { host, isHere, pid } = holder;
  return CommandFailure.input(
    `another \`skillc generate\` (process ${pid}${isHere ? "" : ` on \`${shown(host)}\``}) is running in this project`,
    isHere
      ? `wait for it to end; if there is none, delete \`${path}\``
      : `wait for it to end; if that machine no longer exists, or has another name now, delete \`${path}\``,
  );
}
