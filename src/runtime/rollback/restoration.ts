/** Undoes a call by its copies of what it changed. */
import { abortedError, callError } from "../call/call-error.js";
import { preflight } from "../call/preflight.js";
import { type Restoration, type Undoing, withUndoing } from "../call/undoing.js";
import type { AnyResult } from "../result.js";
import { restoreBackup } from "./backups/restore-backup.js";
import { refuseRollback } from "./refuse-rollback.js";
import type { RestoredPath, RestoreOutcome, RestoreRequest } from "./restoring.js";
import type { Undo, UndoRequest } from "./undo.js";

type Restored = Extract<RestoreOutcome, { readonly status: "restored" }>;

/** Prepares to restore what a call changed. */
export function restoration(request: UndoRequest, strategy: "backup" | "effects"): Undo {
  const { call, options, run } = request;
  const { callOptions, forced, paths } = options;
  const facts = { call: call.id, tool: call.toolId, strategy } as const;
  const own = { parameters: call.record.parameters };
  const { approval: _, ...deciding } = callOptions;
  return {
    async preview() {
      const asked = withUndoing(deciding, { of: call.id, own });
      const { allow, reason } = await preflight(run, {} as never, asked);
      const { changes } = await restored(request, { by: "", dryRun: true });
      const denied = reason === undefined ? {} : { reason };
      return { ...facts, status: "would_roll_back", allow, ...denied, changes };
    },
    async make() {
      let found: Restored | undefined;
      const undoing: Undoing = {
        of: call.id,
        isPart: paths !== undefined,
        ...(forced !== undefined && { forced }),
        own: {
          ...own,
          async restore({ id, isDry }) {
            found = await restored(request, { by: id, dryRun: isDry });
            return isDry ? shadowed(found) : made(found);
          },
        },
      };
      const answer = await run({} as never, withUndoing(deciding, undoing));
      // The call sets its id.
      const { by = "" } = undoing;
      const { changes = [], ownersLeft, recovered, separated } = found ?? {};
      if (!("data" in answer)) return { ...facts, status: "not_rolled_back", by, answer };
      return {
        ...facts,
        status: "rolled_back",
        by,
        changes,
        ...notesOf({ ownersLeft, recovered, separated }),
      };
    },
  };
}

type Notes = Pick<Restored, "ownersLeft" | "recovered" | "separated">;

function notesOf(notes: { readonly [Name in keyof Notes]: Notes[Name] | undefined }): Notes {
  return Object.fromEntries(Object.entries(notes).filter(([, value]) => value !== undefined));
}

/** Paths may hold masked parameters, so the record has only their number. */
function made({ changes, ownersLeft, recovered, separated, wayBack }: Restored): Restoration {
  const count = (change: RestoredPath["change"]) =>
    changes.filter((each) => each.change === change).length;
  const data = {
    created: count("created"),
    restored: count("restored"),
    removed: count("removed"),
    ...notesOf({ ownersLeft, recovered, separated }),
  };
  const answer = { status: "rolled_back", data } as AnyResult;
  return { answer, ...(wayBack !== undefined && { wayBack }) };
}

function shadowed({ changes }: Restored): Restoration {
  const request = { restores: changes.length };
  return { answer: { status: "shadow", request } as AnyResult, request };
}

/**
 * Restores, or reports what would be restored.
 *
 * @throws ToolError with the outcome `not-done`, except if some files are restored and others are
 * not
 */
async function restored(
  { call, options }: UndoRequest,
  how: Required<Pick<RestoreRequest, "by" | "dryRun">>,
): Promise<Restored> {
  const outcome = await restoreBackup(requestOf(call, options, how)).catch((error: unknown) => {
    if (options.callOptions.signal?.aborted !== true) throw error;
    throw abortedError({ toolId: call.toolId, attempts: 0, outcome: "not-done" });
  });
  if (outcome.status === "restored") return outcome;
  const lead = `the call \`${call.id}\` of \`${call.toolId}\` was not rolled back`;
  if (outcome.status === "half-done")
    throw callError(
      { toolId: call.toolId, attempts: 1 },
      { code: "PROVIDER.UNAVAILABLE", reason: "BACKUP_HALF_DONE" },
      `the call \`${call.id}\` of \`${call.toolId}\` is rolled back in part: ${outcome.message}`,
      { outcome: "unknown" },
    );
  if (outcome.status === "refused")
    throw refuseRollback(call, { reason: reasons[outcome.reason] }, `${lead}: ${outcome.message}`);
  const { differences } = outcome;
  throw refuseRollback(
    call,
    { reason: "conflict", differences },
    `${lead}: ${differences.length === 1 ? "a file is" : `${differences.length} files are`} not as the call left ${differences.length === 1 ? "it" : "them"}`,
  );
}

function requestOf(
  { id, wayBack }: UndoRequest["call"],
  { callOptions, forced, paths, runtime }: UndoRequest["options"],
  how: Required<Pick<RestoreRequest, "by" | "dryRun">>,
): RestoreRequest {
  const { signal } = callOptions;
  return {
    ...how,
    directory: runtime.directory,
    call: id,
    force: forced !== undefined,
    maxBytes: runtime.backups?.maxBytes,
    ...(wayBack !== undefined && "sha256" in wayBack && { sha256: wayBack.sha256 }),
    ...(paths !== undefined && { paths }),
    ...(signal !== undefined && { signal }),
  };
}

const reasons = {
  "no-copies": "not-kept",
  "changed-copies": "not-kept",
  "rolled-back": "rolled-back",
  "unknown-path": "unknown-path",
  "not-possible": "not-possible",
} as const;
