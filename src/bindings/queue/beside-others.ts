import type { Capability } from "@skillc/runtime";
import { httpReach } from "@skillc/runtime/internal";
import { escapedName, queueReach } from "@skillc/runtime/internal/queue";
import type { AddressUse, Publication } from "../binding.js";
import { type TextPart, valueName } from "../text-template.js";
import type { QueueConfig, QueueText, TargetModel } from "./model.js";
import { providerNamed } from "./providers/registry.js";

/** What stands at the settings that hold addresses. */
export function addressesOf({
  connection,
  provider,
  registry,
}: QueueConfig): readonly AddressUse[] {
  return [
    { ...connection, of: providerNamed(provider.name).server },
    ...(registry ? [{ ...registry, of: "a schema registry" }] : []),
  ];
}

/** The broker's, and the schema registry's. Parameters of a target stand there by their names. */
export function capabilitiesOfQueue(
  { connection, provider, registry, target }: QueueConfig,
  credentials: readonly string[],
): readonly Capability[] {
  const names = namesOfTarget(target).map(({ parts }) =>
    parts.map((part) => (part.kind === "literal" ? escapedName(part.text) : textOf(part))).join(""),
  );
  const publishing = queueReach(provider.name, names).capabilities.map((capability) => ({
    capability,
    credentials: credentials.filter((name) => name === connection.name || name !== registry?.name),
  }));
  if (registry === undefined) return publishing;
  const asked = httpReach("POST", `\${${registry.name}}`, "/subjects").capabilities;
  return [
    ...publishing,
    ...asked.map((capability) => ({ capability, credentials: [registry.name] })),
  ];
}

/** Those that decide where a message goes. */
function namesOfTarget(target: TargetModel): readonly QueueText[] {
  return target.flatMap((each) => (each.kind === "name" ? [each.template] : []));
}

/**
 * A topic, queue, stream, or exchange with its routing key: as written, parameters by their names.
 */
export function publicationOf({ connection, provider, schema, target }: QueueConfig): Publication {
  const templates = namesOfTarget(target);
  const texts = templates.map(({ parts }) => parts.map(textOf).join(""));
  return {
    channel: JSON.stringify([provider.name, connection.name, texts]),
    shown: texts.join(" "),
    encoding: schema?.encoding.kind ?? "json",
    span: templates[0]?.span ?? provider.span,
  };
}

function textOf(part: TextPart<string>): string {
  if (part.kind === "literal") return part.text;
  return part.kind === "credential" ? `\${${part.name}}` : `{${valueName(part)}}`;
}
