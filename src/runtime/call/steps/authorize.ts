import { isToolError } from "../../errors.js";
import { requireApproval, requireConfirmedCall } from "../../governance/approvals.js";
import { argumentsWithPaths, locatePaths, pathSets } from "../../governance/call-paths.js";
import type { CedarEngine } from "../../governance/cedar/engine.js";
import {
  decisionOf,
  governedTool,
  type Governor,
  refused,
  whenKnown,
} from "../../governance/governor.js";
import type { JudgedCall } from "../../governance/cedar/request.js";
import { judge, type Judgement, undecided } from "../../governance/judge.js";
import { judgedArguments, locateFiles } from "../../governance/judged-files.js";
import type { GovernedTool } from "../../governance/policy.js";
import { resumptionOf } from "../../runs/journal.js";
import type { MaskedPaths } from "../../tool.js";
import type { Call, Step } from "../call.js";
import { confirmableCallOf } from "../confirmable-call.js";
import { orAborted } from "../or-aborted.js";
import { readFiles } from "./read-files.js";

/**
 * Checks that the caller may make this call: its scopes, the project's policies, and the approval.
 * If a decision fails, the call is denied.
 *
 * @param engine undefined if the project has neither policies nor conditions
 */
export function authorize(
  governor: Governor,
  engine: (() => Promise<CedarEngine>) | undefined,
): Step {
  let opened: CedarEngine | undefined;
  const decide = (call: Call, tool: GovernedTool): undefined | Promise<void> => {
    const judgement = judge(governor.policy, tool, judgedCall(call), opened);
    if (judgement.kind === "refused") throw refusal(call, judgement);
    decisionOf(call).decidedBy = judgement.decidedBy;
    // A run that goes on was approved when it began, and a call that is undone when it was made.
    const isApproved = resumptionOf(call.options) !== undefined || call.undoing?.own !== undefined;
    const { needsApproval } = judgement;
    if (isApproved || !(needsApproval || isConfirmed(call))) return undefined;
    // An approval covers the content of files too.
    return whenKnown(readFiles(call), () => {
      requireConfirmedCall(governor, call, tool);
      return needsApproval ? requireApproval(governor, call, tool) : undefined;
    });
  };
  const open = (call: Call, tool: GovernedTool, asked: () => Promise<CedarEngine>) =>
    orAborted(call, asked()).then(
      (found) => {
        opened = found;
        return decide(call, tool);
      },
      (cause: unknown) => {
        if (isToolError(cause)) throw cause;
        const why = cause instanceof Error ? cause.message : String(cause);
        throw refusal(call, undecided(call, [], why));
      },
    );
  return (call) => {
    const tool = governedTool(governor, call);
    return whenKnown(locatePaths(call), () => {
      if (engine === undefined) return decide(call, tool);
      locateFiles(call.args, call.tool.files, call.runtime.directory);
      return opened === undefined ? open(call, tool, engine) : decide(call, tool);
    });
  };
}

function isConfirmed({ options }: Call): boolean {
  return confirmableCallOf(options)?.confirmation !== undefined;
}

function judgedCall(call: Call): JudgedCall {
  const { args, caller, paths, runtime, tool, toolId, undoing } = call;
  const located = tool.files === undefined ? args : judgedArguments(args, tool.files);
  const judged = {
    toolId,
    caller,
    ...(undoing?.own !== undefined && { unknown: unknownOf(tool) }),
  };
  if (paths === undefined) return { ...judged, args: located };
  return {
    ...judged,
    args: argumentsWithPaths(located, paths),
    paths: pathSets(paths.used, runtime.directory),
  };
}

/**
 * Returns the parts of the context that are not in a call's record: masked values and files. If a
 * value is masked, it may be a path.
 */
function unknownOf({ binding, files, maskedParams = [] }: Call["tool"]): MaskedPaths {
  const hasPaths = binding.paths !== undefined && maskedParams.length > 0;
  const args = [...maskedParams, ...(files?.at ?? [])].map((path) => ["args", ...path]);
  return hasPaths ? [...args, ["paths"], ["within"]] : args;
}

/** Makes the error of a judgement that denies a call. */
export function refusal(
  call: Call,
  {
    decidedBy,
    message,
    messages,
    policies,
    reason,
    scopes,
  }: Extract<Judgement, { readonly kind: "refused" }>,
) {
  const deciders = reason === "scopes" ? decidedBy : policies;
  return refused(
    call,
    {
      code: "AUTH.FORBIDDEN",
      reason,
      scopes,
      decidedBy: deciders,
      ...(messages.length > 0 && { messages }),
    },
    message,
    decidedBy,
  );
}
