import type { BindingKind } from "../../kit/binding.js";
import type { KindRegistry } from "../../bindings/registry.js";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import { entryOf, type MapEntry, textOf } from "../../core/syntax-node.js";
import { didYouMean } from "../../schema/suggestion.js";
import type { SkillContext } from "./context.js";
import { meantByType } from "./binding-words.js";

/** Finds the kind that a `binding:` names. Undefined, with a report, if it names none. */
export function findKind(
  binding: MapEntry,
  { kinds, report }: SkillContext,
): BindingKind | undefined {
  const type = entryOf(binding.value, "type");
  const name = textOf(type?.value);
  const kind = name !== undefined && kinds.types.includes(name) ? kinds.find(name) : undefined;
  if (kind !== undefined) return kind;
  const help = `the types are ${kinds.types.map(quote).join(", ")}`;
  const near = type === undefined ? nearlyType(binding) : undefined;
  if (near !== undefined) {
    report.add({
      code: "binding/unknown-key",
      span: near.key.span,
      message: `${quote(near.key.value)} is not a key of a binding`,
      help: `did you mean \`type\`? ${help}`,
    });
  } else if (type === undefined) {
    const message = "`type` is missing from the binding";
    report.add({ code: "binding/missing-key", span: binding.key.span, message, help });
  } else if (name === undefined) {
    report.add({
      code: "binding/wrong-type",
      span: type.value.span,
      message: "`type` must be text",
      help,
    });
  } else {
    const reserved = kinds.reserved(name);
    report.add({
      span: type.value.span,
      ...(reserved === undefined ? unknownType(name, kinds, help) : reservedType(name, reserved)),
    });
  }
  return undefined;
}

/** Finds a key with a name close to `type`. */
function nearlyType({ value }: MapEntry): MapEntry | undefined {
  const entries = value.kind === "map" ? value.entries : [];
  return entries.find(
    ({ key }) =>
      ["kind", "binding_type"].includes(key.value) || didYouMean(key.value, ["type"]) !== undefined,
  );
}

function reservedType(name: string, reason: string): Omit<UnratedDiagnostic, "span"> {
  return {
    code: "binding/reserved-type",
    message: `the binding type ${quote(name)} is reserved`,
    help: reason,
  };
}

function unknownType(
  name: string,
  kinds: KindRegistry,
  known: string,
): Omit<UnratedDiagnostic, "span"> {
  const meant = meantByType(name, kinds);
  const suggestion = meant === undefined ? didYouMean(name, kinds.types) : `write ${meant}:`;
  const help = suggestion === undefined ? known : `${suggestion} ${known}`;
  return {
    code: "binding/unknown-type",
    message: `there is no binding type ${quote(name)}`,
    help,
  };
}
