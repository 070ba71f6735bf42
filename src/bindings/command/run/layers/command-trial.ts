/** Decides which commands run over layers, and which can be tried. */
import type { AnyResult } from "../../../../runtime/result.js";
import type { Attempt } from "../../../../runtime/call/attempt.js";
import type { CallIdentity, CallTrial } from "../../../../runtime/call/binding.js";
import type { PlacedCommand } from "../executors/executor.js";
import { probeSandbox, type Sandbox } from "../executors/sandbox.js";
import { placeCommand } from "../place-command.js";
import type { Contract } from "../run-command.js";
import { credentialsOf, describeCommand, type SealedCommand } from "../sealed-command.js";
import { applyTrial, type TriedCommand, tryCommand } from "./kept-trial.js";
import { discardKept } from "./place.js";

/** Returns the sandbox of a command that may run over layers; undefined for other commands. */
export function layeredSandbox({
  effect,
  executor = "sandbox",
  sandbox,
}: Contract): Sandbox | undefined {
  if (effect === "read" || executor !== "sandbox" || sandbox === "external") return undefined;
  const found = probeSandbox();
  return "problem" in found ? undefined : found;
}

/**
 * Returns the trial of a command. A command that has settings or credentials, or that may use the
 * network, can't be tried: a trial uses neither.
 */
export function trialOf(
  sealed: SealedCommand,
  contract: Contract,
  call: CallIdentity,
): CallTrial<AnyResult> | undefined {
  const { effect, executor = "sandbox", network = "none", sandbox } = contract;
  if (effect === "read" || executor !== "sandbox" || sandbox === "external") return undefined;
  if (network !== "none" || credentialsOf(sealed).length > 0) return undefined;
  const request = JSON.stringify(describeCommand(sealed, contract));
  const tried = (attempt: Attempt): TriedCommand => ({
    placed: placeCommand(sealed, { attempt, contract, call }),
    request,
  });
  let placed: PlacedCommand | undefined;
  return {
    async run(attempt, options) {
      attempt.onAbort(() => "not-done");
      const found = layeredSandbox(contract);
      if (found === undefined) return undefined;
      const command = tried(attempt);
      placed = command.placed;
      return tryCommand(command, { attempt, contract, sandbox: found }, options);
    },
    apply(kept, attempt) {
      let hasBegun = false;
      attempt.onAbort(() => (hasBegun ? "unknown" : "not-done"));
      return applyTrial(tried(attempt), kept, attempt, () => void (hasBegun = true));
    },
    discard: async (kept) => {
      if (placed !== undefined) await discardKept(placed, kept.call);
    },
  };
}
