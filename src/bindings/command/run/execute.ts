/** Makes the binding of a command. */
import { boundCaller } from "../../../runtime/caller.js";
import type { JsonValue } from "../../../runtime/json/json.js";
import {
  fileReach,
  networkReach,
  processReach,
  type Reach,
  temporaryReach,
} from "../../../runtime/reach.js";
import type { AnyResult } from "../../../runtime/result.js";
import type { Attempt, AttemptOutcome } from "../../../runtime/call/attempt.js";
import type { Binding, CallIdentity, PreparedCall } from "../../../runtime/call/binding.js";
import { openText } from "../../../runtime/values/text.js";
import { pathsOfCommand } from "./command-paths.js";
import { type CommandContract, usualTimeoutMs } from "./contract.js";
import { layeredSandbox, trialOf } from "./layers/command-trial.js";
import { applyEffects, effectsError, runOverLayers } from "./layers/run-over-layers.js";
import { placeCommand } from "./place-command.js";
import { type Contract, planOf, runCommand } from "./run-command.js";
import {
  credentialsOf,
  describeCommand,
  type SealedCommand,
  sealCommand,
  shownProgram,
  type SealedText,
  shownText,
} from "./sealed-command.js";

/**
 * Makes the binding of a command from its contract.
 *
 * @typeParam Result the tool's result. The contract is data, so only the compiler that wrote both
 * makes sure that its statuses match this type. If left out, the binding fits any tool.
 */
export function command<Arguments, Result extends AnyResult = never>(
  contract: CommandContract<Arguments>,
): Binding<Arguments, Result> {
  return {
    kind: "command",
    timeoutMs: usualTimeoutMs,
    paths: (args, call) =>
      pathsOfCommand(sealCommand(contract, args, boundCaller(call)), contract, call),
    prepare(args, call) {
      const sealed = sealCommand(contract, args, boundCaller(call));
      const credentials = credentialsOf(sealed);
      const prepared: PreparedCall<AnyResult> = {
        credentials,
        proofs: credentials,
        reach: (open) => reachOf(sealed, contract, open),
        // A `CommandRecord` is JSON.
        describe: () => describeCommand(sealed, contract) as unknown as JsonValue,
        send: (attempt) => send(sealed, contract, call, attempt),
        trial: trialOf(sealed, contract, call),
      };
      // Safe for the reason given at `@typeParam Result`.
      return prepared as PreparedCall<Result>;
    },
  };
}

/** Returns everything that a process may reach. */
function reachOf(
  { program, read, write }: SealedCommand,
  { network = "none", temporary }: Pick<CommandContract<never>, "network" | "temporary">,
  open: ((name: string) => string) | undefined,
): readonly Reach[] {
  const opened = (text: SealedText): string =>
    open === undefined ? shownText(text) : openText(text, ({ name }) => open(name));
  return [
    processReach(shownProgram(program)),
    ...read.map((each) => fileReach("read", opened(each))),
    ...write.map((each) => fileReach("write", opened(each))),
    ...(temporary === undefined ? [] : [temporaryReach()]),
    ...(network === "host" ? [networkReach()] : []),
  ];
}

async function send(
  sealed: SealedCommand,
  contract: Contract,
  call: CallIdentity,
  attempt: Attempt,
): Promise<AttemptOutcome<AnyResult>> {
  // Nothing has begun before the process starts.
  let hasBegun = false;
  const begins = (): void => void (hasBegun = true);
  attempt.onAbort(() => (hasBegun ? "unknown" : "not-done"));
  const placed = placeCommand(sealed, { attempt, contract, call });
  const layered = attempt.keeper?.strategy === "effects" ? layeredSandbox(contract) : undefined;
  if (layered !== undefined) {
    const running = { attempt, contract, sandbox: layered };
    const outcome = await runOverLayers(placed, running, async ({ effects, outcome }) => {
      await applyEffects(effects, placed, attempt, begins).catch((error: unknown) => {
        throw effectsError(attempt, error);
      });
      return outcome;
    });
    if (outcome !== undefined) return outcome;
  }
  // Without layers, copies of all that the process may change are the way back.
  const kept = attempt.keeper?.strategy === "effects" ? placed.write : placed.kept;
  return keeping(kept, attempt, async () => {
    const plan = await planOf(placed, contract, attempt);
    begins();
    return runCommand(plan, placed, { attempt, contract });
  });
}

/**
 * Runs a command after its paths were copied. How it leaves them is noted even if it fails, or is
 * ended.
 */
async function keeping<Ended>(
  paths: readonly string[],
  attempt: Attempt,
  run: () => Promise<Ended>,
): Promise<Ended> {
  const { keeper } = attempt;
  if (keeper === undefined || paths.length === 0) return run();
  // Before the sandbox is planned, because it covers the folder of the copies.
  await keeper.keep(paths);
  attempt.signal.throwIfAborted();
  const ended = run().finally(() => keeper.left());
  attempt.whenAborted?.(() => ended.then(ignore, ignore));
  return ended;
}

function ignore(): void {}
