import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import { entryOf, type MapNode, valueOf } from "../../core/syntax-node.js";
import { forEditors, when } from "../../schema/editor-marks.js";
import { parseTemplate, textNode, type TextTemplate } from "../text-template.js";
import type { ProviderModel, ProviderName, TargetModel } from "./model.js";

/** The keys that say where messages go, and the providers that have them. */
const keys: ReadonlyMap<string, readonly ProviderName[]> = new Map([
  ["topic", ["kafka", "rabbitmq", "redis"]],
  ["key", ["kafka"]],
  ["exchange", ["rabbitmq"]],
  ["routing_key", ["rabbitmq"]],
  ["maxlen", ["redis"]],
]);

/** What editors are told of these keys. Without a provider it is Kafka. */
export const targetForEditors = forEditors({
  allOf: [
    ...[...keys].map(([key, owners]) =>
      when(
        { required: [key] },
        {
          properties: { provider: { enum: owners } },
          ...(!owners.includes("kafka") && { required: ["provider"] }),
        },
      ),
    ),
    { anyOf: [{ required: ["topic"] }, { required: ["exchange", "routing_key"] }] },
    { not: { required: ["topic", "exchange"] } },
    { not: { required: ["topic", "routing_key"] } },
  ],
});

/** What a provider has for a key that belongs to another. */
const instead: Readonly<Record<ProviderName, ReadonlyMap<string, string>>> = {
  kafka: new Map([
    ["routing_key", "what keeps messages together on Kafka is `key`"],
    ["exchange", "messages go to a `topic` on Kafka"],
  ]),
  rabbitmq: new Map([["key", "what RabbitMQ routes by is `routing_key`, beside `exchange`"]]),
  redis: new Map([
    ["exchange", "messages go to a stream on Redis: name it with `topic`"],
    ["key", "a stream keeps all its messages in order"],
    ["routing_key", "a stream keeps all its messages in order"],
  ]),
};

/** Where messages go. Undefined, and reported, when that is not said. */
export function readTarget(
  provider: ProviderModel,
  node: MapNode,
  report: Report,
): TargetModel | undefined {
  reportForeignKeys(provider, node, report);
  const text = (name: string): TextTemplate | undefined => {
    const value = textNode(valueOf(node, name));
    return value && parseTemplate(value, "queue", report);
  };
  const [topic, key] = [text("topic"), provider.name === "kafka" ? text("key") : undefined];
  if (provider.name === "rabbitmq") return readRabbitmq(provider, node, topic, text, report);
  if (topic === undefined) return missing(provider, "write `topic: …` beside it", report);
  if (provider.name === "kafka") return { kind: "kafka", topic, ...(key && { key }) };
  const most = valueOf(node, "maxlen");
  const maxLength =
    most?.kind === "scalar" && typeof most.value === "number" ? most.value : undefined;
  return { kind: "redis", stream: topic, ...(maxLength !== undefined && { maxLength }) };
}

function readRabbitmq(
  provider: ProviderModel,
  node: MapNode,
  topic: TextTemplate | undefined,
  text: (name: string) => TextTemplate | undefined,
  report: Report,
): TargetModel | undefined {
  const [exchange, routingKey] = [text("exchange"), text("routing_key")];
  const surplus = entryOf(node, "exchange") ?? entryOf(node, "routing_key");
  if (topic !== undefined && surplus !== undefined)
    report.add({
      code: "queue/two-targets",
      span: surplus.key.span,
      message: `\`topic\` names a queue, and ${quote(surplus.key.value)} another way to one`,
      help: "keep `topic` for a queue, or `exchange` with `routing_key`",
      related: [{ span: topic.span, message: "the queue" }],
    });
  if (topic !== undefined) return { kind: "rabbitmq", routingKey: topic };
  const help = "write `topic: …` for a queue, or `exchange: …` and `routing_key: …`";
  if (exchange === undefined) return missing(provider, help, report);
  if (routingKey !== undefined) return { kind: "rabbitmq", exchange, routingKey };
  return missing(provider, "write `routing_key: …` beside `exchange`", report);
}

function missing({ name, span }: ProviderModel, help: string, report: Report): undefined {
  const message = `nothing says where messages go on \`${name}\``;
  report.add({ code: "queue/no-target", span, message, help });
}

function reportForeignKeys(provider: ProviderModel, node: MapNode, report: Report): void {
  const { name } = provider;
  for (const { key } of node.entries) {
    const owners = keys.get(key.value);
    if (owners === undefined || owners.includes(name)) continue;
    const finding = { code: "queue/not-for-provider", span: key.span } as const;
    const message = `\`${name}\` has no ${quote(key.value)}`;
    const help = instead[name].get(key.value) ?? "remove it";
    const [owner] = owners;
    report.add(
      provider.isDefault
        ? {
            ...finding,
            message: `${message}, and without a \`provider\` it is ${name}`,
            help: `write \`provider: ${owner}\`, or ${help}`,
          }
        : {
            ...finding,
            message,
            help,
            related: [{ span: provider.span, message: "the provider" }],
          },
    );
  }
}

/** Every template of a target. */
export function templatesOfTarget(target: TargetModel): readonly TextTemplate[] {
  switch (target.kind) {
    case "kafka":
      return [target.topic, ...(target.key ? [target.key] : [])];
    case "rabbitmq":
      return [...(target.exchange ? [target.exchange] : []), target.routingKey];
    case "redis":
      return [target.stream];
  }
}
