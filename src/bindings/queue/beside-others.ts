import type { Capability } from "@skillc/runtime";
import { httpReach } from "@skillc/runtime/internal";
import { escapedName, queueReach } from "@skillc/runtime/internal/queue";
import { quote } from "../../core/names.js";
import type { AddressUse, Publication } from "../../kit/binding.js";
import type { CapabilityForm } from "../../kit/capability-form.js";
import { type TextPart, valueName } from "../../kit/text-template.js";
import type { QueueConfig, QueueText, TargetModel } from "./model.js";
import { providerNamed, providers } from "./providers/registry.js";

/** Describes the settings that hold addresses. */
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

/**
 * Lists the capabilities for the broker and the schema registry. Parameters in a target appear by
 * name.
 */
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

/**
 * Example: `queue:send kafka orders.created`. Without a target, the capability covers all targets
 * of the provider.
 */
export const queueCapabilityForm: CapabilityForm = {
  purpose: "queue",
  form: "queue:send kafka orders.created",
  problem(act, place) {
    if (act !== "send" && act !== "*")
      return `has ${quote(act)} after \`queue:\`, which must be \`send\``;
    const [provider = "", target, ...more] = place.split(" ");
    const names = [...providers.map(({ name }) => name), "*"];
    if (!names.includes(provider))
      return provider === ""
        ? "has no provider"
        : `has the unknown provider ${quote(provider)}; providers are ${names.map(quote).join(", ")}`;
    return target === "" || more.length > 0
      ? "has more than a provider and a target; write a space in the target as `%20`"
      : undefined;
  },
};

/** The texts that decide where a message goes. */
function namesOfTarget(target: TargetModel): readonly QueueText[] {
  return target.flatMap((each) => (each.kind === "name" ? [each.template] : []));
}

/**
 * Describes a topic, queue, stream, or exchange with its routing key as written, with parameters by
 * name.
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
