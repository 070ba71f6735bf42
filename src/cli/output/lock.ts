import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { shown } from "../../core/names.js";
import { type LockAttempt, takeLock } from "../../runtime/lock-file.js";
import { CommandFailure } from "../exit.js";

export interface LockOptions {
  /** Milliseconds to wait for another holder. */
  readonly patience: number;
  /** Called once, when the lock is there already; without a holder when the file doesn't tell one. */
  readonly onWait?: (holder: number | undefined) => void;
}

type Taken = Extract<LockAttempt, { kind: "taken" }>;

/**
 * Holds a lock file while `action` runs, so that two processes don't write one output folder at once. The lock of a process that is no
 * more is taken over.
 *
 * @throws CommandFailure when it stays taken longer than `patience`
 */
export async function withLock<T>(
  path: string,
  options: LockOptions,
  action: () => Promise<T>,
): Promise<T> {
  const release = await acquire(path, options);
  try {
    return await action();
  } finally {
    release();
  }
}

const pause = 50;

async function acquire(path: string, { patience, onWait }: LockOptions): Promise<() => void> {
  const deadline = performance.now() + patience;
  for (let told = false; ; told = true) {
    // Whoever held it may have taken the folder away with it.
    mkdirSync(dirname(path), { recursive: true });
    const attempt = takeLock(path);
    if (attempt.kind === "held") return attempt.release;
    if (!told) onWait?.(attempt.holder?.pid);
    if (performance.now() >= deadline) throw stillTaken(path, attempt);
    await wait(pause);
  }
}

function stillTaken(path: string, { holder, isReadable }: Taken): CommandFailure {
  if (holder === undefined) {
    return CommandFailure.input(
      `the lock \`${path}\` can't be ${isReadable ? "removed" : "read"}`,
      "end every other `skillc generate` on this project, then delete it",
    );
  }
  const { host, isHere, pid } = holder;
  return CommandFailure.input(
    `another \`skillc generate\` (process ${pid}${isHere ? "" : ` on \`${shown(host)}\``}) is at work on this project`,
    isHere
      ? `wait for it to end; if there is none, delete \`${path}\``
      : `wait for it to end; if that machine is no more, or has another name by now, delete \`${path}\``,
  );
}
