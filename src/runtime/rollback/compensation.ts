/**
 * Undoes a call by a call of another tool. The scopes and policies of the call's own tool are asked
 * first, and a denial is recorded. The call of the other tool is an ordinary one, approvals
 * included.
 */
import type { CallOptions } from "../call/call-options.js";
import { preflight } from "../call/preflight.js";
import { type Undoing, withUndoing } from "../call/undoing.js";
import { type JsonValue, parseJson } from "../json/json.js";
import { openSealed } from "../ledger/sealed-attachment.js";
import { refuseRollback } from "./refuse-rollback.js";
import type { CompensatedBy } from "./tool-rollback.js";
import type { Undo, UndoRequest } from "./undo.js";
import type { WayBack, WayBackParameters } from "./way-back.js";

type Compensation = Extract<WayBack, { readonly strategy: "compensate" }>;

/**
 * Prepares a call of the other tool.
 *
 * @throws ToolError `ROLLBACK.REFUSED` if the tool names another tool now
 */
export function compensation(request: UndoRequest, way: Compensation): Undo {
  const { call, options, run } = request;
  const { call: callOther } = sameWay(request, way);
  const parameters = () => parametersOf(request, way.parameters);
  const facts = { call: call.id, tool: call.toolId, strategy: way.strategy } as const;
  const own = { parameters: call.record.parameters };
  const { callOptions, forced } = options;
  const undoing: Undoing = { of: call.id, ...(forced !== undefined && { forced }) };
  // The other tool's validator checks the parameters.
  const other = (params: unknown, given?: CallOptions) =>
    callOther(params as never, given as never);
  return {
    async preview() {
      const ownRun = await preflight(
        run,
        {} as never,
        withUndoing(callOptions, { ...undoing, own }),
      );
      if (!ownRun.allow) return { ...facts, status: "would_roll_back", ...decisionOf(ownRun) };
      const otherRun = await preflight(
        other,
        await parameters(),
        withUndoing(callOptions, undoing),
      );
      return { ...facts, status: "would_roll_back", ...decisionOf(otherRun), other: otherRun };
    },
    async make() {
      const { approval: _, ...deciding } = callOptions;
      await run({} as never, withUndoing(deciding, { ...undoing, own }));
      const made: Undoing = { ...undoing };
      const answer = await other(await parameters(), withUndoing(callOptions, made));
      // The call sets its id.
      const result = { ...facts, by: made.by ?? "", answer };
      return "data" in answer
        ? { ...result, status: "rolled_back" }
        : { ...result, status: "not_rolled_back" };
    },
  };
}

function decisionOf({ allow, reason }: Awaited<ReturnType<typeof preflight>>) {
  return { allow, ...(reason !== undefined && { reason }) };
}

function sameWay({ call, contract }: UndoRequest, { tool }: Compensation): CompensatedBy<never> {
  const { rollback } = contract;
  if (rollback?.strategy === "compensate" && rollback.tool === tool) return rollback;
  throw refuseRollback(
    call,
    { reason: "changed-tool" },
    `the call \`${call.id}\` was not rolled back: \`${tool}\` would undo it, but \`${call.toolId}\` names another way back now`,
  );
}

/** @throws ToolError `ROLLBACK.REFUSED` if they were not kept */
async function parametersOf(
  { call, options }: UndoRequest,
  parameters: WayBackParameters,
): Promise<JsonValue> {
  if ("omitted" in parameters) throw notKept(call, omittedWords[parameters.omitted]);
  try {
    const text =
      "json" in parameters
        ? parameters.json
        : await openSealed(options.runtime.ledger, options.runtime.governance?.wayBackSeal, {
            kept: parameters.sealed,
            context: call.id,
            what: "their text",
          });
    return parseJson(text);
  } catch (error) {
    throw notKept(call, error instanceof TypeError ? error.message : "somebody changed the record");
  }
}

function notKept(call: UndoRequest["call"], why: string) {
  return refuseRollback(
    call,
    { reason: "not-kept" },
    `the call \`${call.id}\` of \`${call.toolId}\` can't be rolled back: there are no parameters for the other tool, because ${why}`,
  );
}

const omittedWords = {
  "no-key": "they are long or masked, and governance had no `key` to encrypt them",
  "no-ledger": "they are long or masked, and the ledger keeps no bytes of calls",
  "too-large": "they have more than 1 MiB",
  "not-written": "the ledger could not write them",
  "not-built": "the answer of the call lacks a value that they need",
} as const;
