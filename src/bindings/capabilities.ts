/**
 * Determines the capabilities of tools, and checks the capabilities that authors write. The
 * runtime's rule compares capabilities.
 */
import type { Capability } from "@skillc/runtime";
import { quote } from "../core/names.js";
import type { ToolModel } from "../core/skill-model.js";
import { didYouMean } from "../schema/suggestion.js";
import type { BindingKind } from "../kit/binding.js";
import type { CapabilityForm } from "../kit/capability-form.js";
import type { KindRegistry } from "./registry.js";

/** A problem of a written capability, and its fix. */
export interface CapabilityProblem {
  readonly message: string;
  readonly help: string;
}

/** Returns the problem of a capability; undefined if it is valid. */
export function capabilityProblem(
  written: string,
  kinds: KindRegistry,
): CapabilityProblem | undefined {
  // Kinds share forms: commands and files both name folders.
  const forms = [...new Set(kinds.all.flatMap(formsOf))];
  const [, purpose, act = "", place = ""] =
    /^([^\s:]+)(?::(\S+))?(?: (\S.*))?$/.exec(written) ?? [];
  const isBare = forms.some((each) => each.purpose === purpose && each.isBare === true);
  if (purpose === undefined || isBare !== (act === "")) {
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

/** Forms of a kind's capabilities. By default, they begin with the kind's name. */
function formsOf({ capabilityForms, type }: BindingKind): readonly CapabilityForm[] {
  return capabilityForms ?? [{ purpose: type, form: `${type}:call`, problem: () => undefined }];
}

/**
 * Returns the known capabilities of a tool's binding. Call it only for an analyzed tool.
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
 * Returns the capabilities that a tool's calls are limited to: those that the author declares, or
 * those of the binding. A handler's own call is always included. Nobody sees what its function
 * reaches.
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
