import type { AddressUse, Publication } from "../binding.js";
import type { TextTemplate } from "../text-template.js";
import type { QueueConfig } from "./model.js";
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

/** A topic, queue, stream, or exchange with its routing key: as written, parameters by their names. */
export function publicationOf({ connection, provider, schema, target }: QueueConfig): Publication {
  const templates = target.flatMap((each) => (each.kind === "name" ? [each.template] : []));
  const texts = templates.map(textOf);
  return {
    channel: JSON.stringify([provider.name, connection.name, texts]),
    shown: texts.join(" "),
    encoding: schema?.encoding.kind ?? "json",
    span: templates[0]?.span ?? provider.span,
  };
}

function textOf({ parts }: TextTemplate): string {
  const texts = parts.map((part) => {
    if (part.kind === "literal") return part.text;
    return part.kind === "credential" ? `\${${part.name}}` : `{${part.path.join(".")}}`;
  });
  return texts.join("");
}
