import { at, type Code, code, ident, imported, literal } from "../../core/code.js";
import type { BindingEmission, EmitInput, View } from "../binding.js";
import { type RequestScope, scalarCode, templateCode, valueCode } from "../values/emit-value.js";
import { companionOf, encoderCode } from "./encoder-code.js";
import type { ProviderName, QueueConfig, TargetModel } from "./model.js";
import { writtenMessage } from "./written-message.js";

type Input = EmitInput<QueueConfig>;

/** The view of `templates/queue.hbs` and the types of what the tool gives. */
export function emitQueue(input: Input): BindingEmission {
  const { config, runtime, schemas, tool } = input;
  const scope: RequestScope = { parameters: tool.parameters, runtime };
  const { connection, headers, idempotencyKey, provider, registry } = config;
  const message = writtenMessage(tool, config);
  const schema = schemas["message"];
  const companion = companionOf(config.schema);
  const view: View = {
    queue: runtime("queue"),
    argumentsType: input.argumentsType,
    messageType: schema?.type ?? code`unknown`,
    provider: at(provider.span, literal(provider.name)),
    connection: at(connection.span, literal(connection.name)),
    usesParameters: tool.binding.references.length > 0 || config.message.kind === "all",
    target: targetCode(config.target, scope),
    hasHeaders: headers.length > 0,
    headers: headers.map(({ name, span, value }) => ({
      name: at(span, literal(name)),
      value: scalarCode(scope, value),
    })),
    hasIdempotencyKey: idempotencyKey !== undefined,
    idempotencyKey: idempotencyKey && templateCode(scope, idempotencyKey),
    message: at(message.span, valueCode(scope, message.value)),
    hasValidator: schema !== undefined,
    validator: schema?.validator,
    encode: encoderCode(input),
    hasRegistry: registry !== undefined,
    registry: registry && at(registry.span, literal(registry.name)),
  };
  return {
    view,
    ...(companion && { companion }),
    dataType: runtime(receipts[provider.name]),
    resultType: (data) => resultTypeOf(input, data),
  };
}

const receipts: Readonly<Record<ProviderName, string>> = {
  kafka: "KafkaReceipt",
  rabbitmq: "RabbitmqReceipt",
  redis: "RedisReceipt",
};

function targetCode(target: TargetModel, scope: RequestScope): View {
  const entry = (name: string, value: Code) => ({ name: ident(name), value });
  switch (target.kind) {
    case "kafka":
      return [
        entry("topic", templateCode(scope, target.topic)),
        ...(target.key ? [entry("key", templateCode(scope, target.key))] : []),
      ];
    case "rabbitmq":
      return [
        entry("exchange", target.exchange ? templateCode(scope, target.exchange) : literal("")),
        entry("routing_key", templateCode(scope, target.routingKey)),
      ];
    case "redis":
      return [
        entry("stream", templateCode(scope, target.stream)),
        ...(target.maxLength === undefined ? [] : [entry("maxlen", literal(target.maxLength))]),
      ];
  }
}

function resultTypeOf({ config, runtime }: Input, data: Code): Code {
  const result = imported("skillc/runtime", "ToolResult", true);
  const shadowed = imported("skillc/runtime", "Shadowed", true);
  const answers =
    config.provider.name === "rabbitmq"
      ? code`${result}<${data}, "unroutable", "success", ${runtime("Unroutable")}>`
      : code`${result}<${data}>`;
  return code`${answers} | ${shadowed}<${runtime("QueueRecord")}>`;
}
