import { join, posix } from "node:path";
import { shown } from "../../core/names.js";
import {
  makeOwnFolder,
  refuseObstacle,
  type LockAttempt,
  takeLock,
  waitForLock,
} from "@skillc/runtime/internal";
import { CommandFailure, orSayWhatIsInTheWay } from "../exit.js";

export interface LockOptions {
  /** Time limit of waiting for another holder. */
  readonly timeoutMs: number;
  /**
   * Called once if another process holds the lock; `holder` is undefined if the file doesn't name
   * it.
   */
  readonly onWait?: (holder: number | undefined) => void;
}

type Taken = Extract<LockAttempt, { kind: "taken" }>;

/**
 * Holds a lock file while `action` runs, so that two processes never write the same output folder.
 * Takes over the lock of an ended process.
 *
 * @param path below `root`, with `/`
 * @throws CommandFailure if the time limit passes, or if something else or a link blocks the path
 * or a parent
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

async function acquire(
  root: string,
  path: string,
  { timeoutMs, onWait }: LockOptions,
): Promise<() => void> {
  const attempt = await waitForLock(
    () => {
      // The previous holder may have removed the folder.
      orSayWhatIsInTheWay(() => {
        makeOwnFolder(root, posix.dirname(path));
        refuseObstacle(root, path, "file");
      });
      return takeLock(join(root, path));
    },
    { timeoutMs, pauseMs: 50, onWait: (holder) => onWait?.(holder?.pid) },
  );
  if (attempt.kind === "taken") throw stillTaken(join(root, path), attempt);
  return attempt.release;
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
