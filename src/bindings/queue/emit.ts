import { at, type Code, code, imported, literal } from "../../core/code.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import type { BindingEmission, EmitInput, View } from "../binding.js";
import { type RequestScope, scalarCode, templateCode } from "../values/emit-value.js";
import { templatesBelow } from "../values/templates-in.js";
import { companionOf, encoderCode } from "./encoder-code.js";
import { messageCode } from "./message-code.js";
import type { QueueConfig } from "./model.js";
import { providerNamed } from "./providers/registry.js";
import { targetCode } from "./target-code.js";
import { writtenMessage } from "./written-message.js";

type Input = EmitInput<QueueConfig>;

/** The view of `templates/queue.hbs` and the types of what the tool gives. */
export function emitQueue(input: Input): BindingEmission {
  const { config, runtime, schemas, tool } = input;
  const scope: RequestScope = { parameters: tool.parameters, runtime };
  const { connection, headers, idempotencyKey, provider, registry } = config;
  const { types } = providerNamed(provider.name);
  const message = writtenMessage(tool, config);
  const schema = schemas["message"];
  const companion = companionOf(config.schema);
  const view: View = {
    argumentsType: input.argumentsType,
    messageType: schema?.type ?? code`unknown`,
    provider: at(provider.span, runtime(provider.name)),
    connection: at(connection.span, literal(connection.name)),
    usesParameters: tool.binding.references.length > 0 || templatesBelow(message.value).length > 0,
    publication: runtime(types.publication),
    target: targetCode(config.target, scope),
    hasHeaders: headers.length > 0,
    headers: headers.map(({ name, span, value }) => ({
      name: at(span, literal(name)),
      value: scalarCode(scope, value),
    })),
    hasIdempotencyKey: idempotencyKey !== undefined,
    idempotencyKey: idempotencyKey && templateCode(scope, idempotencyKey),
    message: at(message.span, messageCode(scope, message.value, config.schema)),
    hasValidator: schema !== undefined,
    validator: schema?.validator,
    encode: encoderCode(input),
    hasRegistry: registry !== undefined,
    registry: registry && at(registry.span, literal(registry.name)),
  };
  return {
    view,
    ...(companion && { companion }),
    dataType: runtime(types.receipt),
    answerType: (data) => answerTypeOf(input, data),
    recordType: runtime("QueueRecord"),
  };
}

function answerTypeOf({ config, runtime }: Input, data: Code): Code {
  const result = imported(runtimeEntry(), "ToolResult", true);
  const { other } = providerNamed(config.provider.name).types;
  return other
    ? code`${result}<${data}, ${literal(other.status)}, "success", ${runtime(other.type)}>`
    : code`${result}<${data}>`;
}
