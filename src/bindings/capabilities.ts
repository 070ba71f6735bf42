/**
 * What tools may reach, and how authors write it. Where one capability is held against another, the
 * runtime's own rule decides.
 */
import type { Capability } from "@skillc/runtime";
import { quote } from "../core/names.js";
import type { ToolModel } from "../core/skill-model.js";
import { didYouMean } from "../schema/suggestion.js";
import type { BindingKind } from "../kit/binding.js";
import type { CapabilityForm } from "../kit/capability-form.js";
import type { KindRegistry } from "./registry.js";

/** What is wrong with a capability as it is written, and what to write instead. */
export interface CapabilityProblem {
  readonly message: string;
  readonly help: string;
}

/** Undefined for a capability that is well written. */
export function capabilityProblem(
  written: string,
  kinds: KindRegistry,
): CapabilityProblem | undefined {
  const forms = kinds.all.flatMap(formsOf);
  const [, purpose, act = "", place = ""] = /^([^\s:]+):(\S+)(?: (\S.*))?$/.exec(written) ?? [];
  if (purpose === undefined) {
    const all = forms.map(({ form }) => quote(form)).join(", ");
    return { message: "is not a capability", help: `write one of ${all}` };
  }
  const form = forms.find((each) => each.purpose === purpose);
  if (form === undefined) {
    const purposes = forms.map((each) => each.purpose);
    return {
      message: `has the unknown action ${quote(purpose)}`,
      help: didYouMean(purpose, purposes) ?? `the actions are ${purposes.map(quote).join(", ")}`,
    };
  }
  const message = form.problem(act, place);
  return message === undefined ? undefined : { message, help: `write ${quote(form.form)}` };
}

/** A kind that says nothing of it has capabilities of its own name. */
function formsOf({ capabilityForms, type }: BindingKind): readonly CapabilityForm[] {
  return capabilityForms ?? [{ purpose: type, form: `${type}:call`, problem: () => undefined }];
}

/**
 * What a tool's binding reaches, as far as it says it; only for a tool that was analyzed.
 *
 * @param toolId `skill/tool`
 */
export function capabilitiesOf(
  { binding }: ToolModel,
  toolId: string,
  kinds: KindRegistry,
): readonly Capability[] {
  const credentials = [...new Set(binding.credentials.map(({ name }) => name))].toSorted();
  const kind = kinds.find(binding.type);
  return (
    kind?.capabilities?.(binding.config, credentials, toolId) ?? [
      { capability: `${binding.type}:call`, credentials },
    ]
  );
}

/**
 * What calls of a tool are held to: what its author declares, else what its binding reaches. A
 * handler's own call is always among them; where its function goes from there nobody sees.
 */
export function allowedCapabilities(
  tool: ToolModel,
  toolId: string,
  kinds: KindRegistry,
): readonly string[] {
  const derived = capabilitiesOf(tool, toolId, kinds).map(({ capability }) => capability);
  const declared = tool.governance?.capabilities?.map(({ value }) => value);
  if (declared === undefined) return derived;
  return kinds.find(tool.binding.type)?.needsHandler === true
    ? [...derived, ...declared]
    : declared;
}
