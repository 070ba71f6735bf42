import type { AddressUse, Publication } from "../binding.js";
import type { TextTemplate } from "../text-template.js";
import type { ProviderName, QueueConfig } from "./model.js";
import { templatesOfTarget } from "./target.js";

/** What stands at the connection's URL, by provider. */
const servers: Readonly<Record<ProviderName, string>> = {
  kafka: "a Kafka broker",
  rabbitmq: "a RabbitMQ broker",
  redis: "a Redis server",
};

export function addressesOf({
  connection,
  provider,
  registry,
}: QueueConfig): readonly AddressUse[] {
  return [
    { ...connection, of: servers[provider.name] },
    ...(registry ? [{ ...registry, of: "a schema registry" }] : []),
  ];
}

/** A topic, queue, stream, or exchange with its routing key: as written, parameters by their names. */
export function publicationOf({ connection, provider, schema, target }: QueueConfig): Publication {
  const templates = target.kind === "kafka" ? [target.topic] : templatesOfTarget(target);
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
