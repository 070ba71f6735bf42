import { callError } from "../call-error.js";
import type { Call } from "../call.js";
import type { Prerequisites } from "../../tool.js";
import { unmetPrerequisites } from "../prerequisites.js";
import { refuseKey } from "../refuse-key.js";
import { isShadowed } from "./shadow.js";

/**
 * Checks the skill's prerequisites, once for each runtime. Denies calls that need governance if the
 * runtime has none.
 */
export function available(call: Call): undefined | Promise<void> {
  const { runtime, tool } = call;
  if (runtime.governance === undefined && runtime.fakes === undefined) {
    if (tool.obliged) throw ungoverned(call);
    refuseKey(call, "the runtime has no `governance`, which keeps keys");
  }
  requireFolder(call);
  if (tool.prerequisites === undefined || runtime.availableSkills.has(tool.skill)) return undefined;
  return requirePrerequisites(tool.prerequisites, call);
}

/** Checks that there is a folder for the answer. Shadow mode, handlers and fakes save nothing. */
function requireFolder(call: Call): void {
  const { binding, runtime, toolId } = call;
  if (binding.saves === undefined || runtime.downloads !== undefined) return;
  const isServed = runtime.fakes !== undefined || Object.hasOwn(runtime.handlers, toolId);
  if (isServed || isShadowed(call)) return;
  throw callError(
    call,
    { code: "POLICY.DENY_TOOL", missing: [{ kind: "downloads", name: toolId }] },
    `\`${toolId}\` was not called: it saves its answer, but the runtime has no \`downloads\` folder`,
  );
}

function ungoverned(call: Call) {
  const { toolId } = call;
  return callError(
    call,
    { code: "POLICY.DENY_TOOL", missing: [{ kind: "governance", name: toolId }] },
    `\`${toolId}\` was not called: \`obligations\` of skillc.yaml change its answers, but the runtime has no \`governance\`, which applies them`,
  );
}

async function requirePrerequisites(prerequisites: Prerequisites, call: Call): Promise<void> {
  const { availableSkills, surroundings } = call.runtime;
  const { skill } = call.tool;
  const missing = await unmetPrerequisites(prerequisites, surroundings);
  if (missing.length === 0) {
    availableSkills.add(skill);
    return;
  }
  const named = missing.map(({ kind, name }) => `${kind} \`${name}\``).join(", ");
  const message = `skill \`${skill}\` is not available here: missing ${named}`;
  throw callError(call, { code: "POLICY.DENY_TOOL", missing }, message);
}
