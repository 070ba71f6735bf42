/** The keeper of a call, as bindings get it. */
import type { Call } from "../../call/call.js";
import { callError } from "../../call/call-error.js";
import type { ToolError } from "../../errors.js";
import { isTemporary } from "../../files/temporary-folders.js";
import type { Keeper } from "../tool-rollback.js";
import { asFault, type BackupFault } from "./backup-fault.js";
import { declaredPaths } from "./kept-credentials.js";
import { openKeeper } from "./keeper.js";

/** Opens the keeper of a call; undefined if copies are not its way back. */
export function keeperOf(call: Call): Keeper | undefined {
  const { runtime, tool } = call;
  const strategy = tool.rollback?.strategy;
  if (tool.effect !== "write" || (strategy !== "backup" && strategy !== "effects"))
    return undefined;
  const keeper = openKeeper({
    directory: runtime.directory,
    call: call.id,
    strategy,
    maxBytes: runtime.backups?.maxBytes,
    note: (wayBack) => {
      call.wayBack = wayBack;
    },
  });
  const orFail = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      const fault = asFault(error);
      throw fault === undefined ? error : notKept(call, fault);
    });
  return {
    strategy,
    paths: declaredPaths(call),
    keep(paths) {
      // A temporary folder is removed, so nothing in it is restored.
      const lasting = paths.filter((each) => !isTemporary(each));
      const isNothing = lasting.length === 0 && paths.length > 0;
      return orFail(isNothing ? keeper.copyNothing() : keeper.copy(lasting));
    },
    keepEntries: (paths) => orFail(keeper.copyEntries(paths)),
    left: () => keeper.left(),
    leftAs: (states) => keeper.leftAs(states),
    unchanged: () => keeper.discard(),
  };
}

/** The message has no path, because a path may be a masked parameter. */
function notKept(call: Call, fault: BackupFault): ToolError {
  const reason = `BACKUP_${fault.problem.toUpperCase().replaceAll("-", "_")}`;
  return callError(
    call,
    { code: "PROVIDER.UNAVAILABLE", reason },
    `\`${call.toolId}\` changed nothing, because its way back can't be kept: ${fault.message}`,
    { cause: fault, outcome: "not-done" },
  );
}
