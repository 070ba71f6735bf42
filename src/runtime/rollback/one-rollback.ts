import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { callError } from "../call/call-error.js";
import { takeLock } from "../files/lock-file.js";
import { makeOwnFolder } from "../files/own-place.js";
import type { GovernanceStore } from "../governance/store/store.js";
import type { Runtime } from "../runtime.js";
import type { UndoableCall } from "./find-undoable.js";
import { refuseRollback } from "./refuse-rollback.js";

/** Folder of the locks, relative to the project's folder. */
const folder = ".skillc/rollbacks";

/** Lifetime of a lease, in milliseconds. It must last until the begin record is written. */
const leaseMs = 60_000;

/** Calls that this process is undoing. */
const running = new Set<string>();

/**
 * Undoes a call while nobody else does. The lock needs to last only until the begin record is
 * written: from then on the ledger shows the rollback.
 *
 * - In this process, no other rollback of the call runs.
 * - With a ledger in files, none does on this machine: a lock file in the project's folder.
 * - With governance, none does in processes that share its store: a lease.
 *
 * @throws ToolError `ROLLBACK.REFUSED` if another rollback of the call is running
 */
export async function whileAlone<Result>(
  runtime: Runtime,
  call: UndoableCall,
  run: () => Promise<Result>,
): Promise<Result> {
  if (running.has(call.id)) throw isRunning(call);
  running.add(call.id);
  const releases: (() => unknown)[] = [() => running.delete(call.id)];
  try {
    if ("directory" in runtime.ledger) releases.push(lockFile(runtime.directory, call));
    const { store } = runtime.governance ?? {};
    if (store !== undefined) releases.push(await takeLease(store, call));
    return await run();
  } finally {
    // A lease that can't be returned ends by itself.
    for (const release of releases.toReversed())
      await Promise.resolve()
        .then(release)
        .catch(() => undefined);
  }
}

async function takeLease(store: GovernanceStore, call: UndoableCall): Promise<() => unknown> {
  const name = `rollback ${call.id}`;
  const holder = randomUUID();
  const lease = await askStore(call, () => store.lease(name, holder, leaseMs));
  if (lease !== undefined) return () => store.unlease(lease);
  await askStore(call, () => store.leaveLine(name, holder));
  throw isRunning(call);
}

async function askStore<Value>(
  call: UndoableCall,
  ask: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await ask();
  } catch (cause) {
    throw callError(
      { toolId: call.toolId, attempts: 0 },
      { code: "UNKNOWN.INTERNAL", reason: "store-unavailable" },
      `the call \`${call.id}\` was not rolled back: the store of governance cannot be reached`,
      { cause, outcome: "not-done" },
    );
  }
}

function lockFile(directory: string, call: UndoableCall): () => void {
  const found = takenLock(directory, call);
  if (found.kind === "taken") throw isRunning(call);
  return found.release;
}

function takenLock(directory: string, call: UndoableCall): ReturnType<typeof takeLock> {
  try {
    makeOwnFolder(directory, folder, 0o700);
    return takeLock(join(directory, folder, `${call.id}.lock`));
  } catch (cause) {
    throw callError(
      { toolId: call.toolId, attempts: 0 },
      { code: "UNKNOWN.INTERNAL", reason: "ledger-unavailable" },
      `the call \`${call.id}\` was not rolled back: its lock in \`${folder}\` can't be written`,
      { cause, outcome: "not-done" },
    );
  }
}

function isRunning(call: UndoableCall): Error {
  return refuseRollback(
    call,
    { reason: "running" },
    `another rollback of the call \`${call.id}\` is running`,
  );
}
