import { at, type Code, code, generated, ident, imported, join, literal } from "../../core/code.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import type { SchemaModel, ToolModel } from "../../core/skill-model.js";
import { isAssignable, type ShapeIn } from "../../schema/assignable.js";
import { shapeAt } from "../../schema/look-up.js";
import { shapesOf } from "../../schema/shape-of-schema.js";
import type { BindingEmission, EmitInput, View } from "../../kit/binding-emission.js";
import { callerRoot, callerValue } from "../../kit/caller-root.js";
import { literalText, loneValue, type TextTemplate } from "../../kit/text-template.js";
import type { Steps } from "../../kit/values/access.js";
import {
  partsCode,
  referencePointer,
  type RequestScope,
  scalarCode,
  templateCode,
  valueCode,
  valuePartCode,
} from "../../kit/values/emit-value.js";
import type { ScalarModel, ValueNode } from "../../kit/values/model.js";
import { isHidden, typeToState } from "../../kit/values/scalar-type.js";
import { templatesBelow } from "../../kit/values/templates-in.js";
import type { MessageSchema } from "./message-schema.js";
import type { QueueConfig, TargetField, TargetModel } from "./model.js";
import { providerNamed } from "./providers/registry.js";
import { writtenMessage } from "./written-message.js";

type Input = EmitInput<QueueConfig>;

/** Makes the view of `templates/queue.hbs` and the result types of the tool. */
export function emitQueue(input: Input): BindingEmission {
  const { config, runtime, schemas, tool } = input;
  const scope: RequestScope = { parameters: tool.parameters, runtime, roots: callerValue };
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
    usesParameters: usesParameters(tool, message.value),
    usesCaller: tool.binding.caller !== undefined,
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

function usesParameters({ binding }: ToolModel, message: ValueNode<string>): boolean {
  if (binding.references.length > 0) return true;
  const templates = templatesBelow(message);
  return binding.caller === undefined
    ? templates.length > 0
    : templates.some(({ parts }) => parts.some(({ kind }) => kind === "parameter"));
}

function answerTypeOf({ config, runtime }: Input, data: Code): Code {
  const result = imported(runtimeEntry(), "ToolResult", true);
  const { other } = providerNamed(config.provider.name).types;
  return other
    ? code`${result}<${data}, ${literal(other.status)}, "success", ${runtime(other.type)}>`
    : code`${result}<${data}>`;
}

const suffix = "encode";

/**
 * Emits the encoder of a tool. The schema is part of the module, so that no file is read at run
 * time.
 */
function encoderCode({ companionModule, config, runtime, schemas }: EmitInput<QueueConfig>): Code {
  const message = schemas["message"]?.type ?? code`unknown`;
  const encoding = config.schema?.encoding ?? { kind: "json" };
  switch (encoding.kind) {
    case "json":
      return code`${runtime("json")}<${message}>()`;
    case "avro":
      return code`${runtime("avro")}<${message}>(${literal(encoding.schema)}${namedUnionsCode(encoding.named)})`;
    case "protobuf":
      return code`${runtime("protobuf")}<${message}>(${literal(encoding.message)}, ${imported(companionModule(suffix), "encode")})`;
  }
}

function namedUnionsCode(pointers: readonly string[]): Code {
  return pointers.length === 0 ? code`` : code`, ${literal(pointers)}`;
}

/** The companion module with the code that protobufjs prints. */
function companionOf(schema: MessageSchema | undefined): BindingEmission["companion"] {
  if (schema?.encoding.kind !== "protobuf") return undefined;
  return { suffix, code: generated(schema.encoding.code) };
}

/**
 * Emits the message as an object literal. It wraps a value as `fitted(p.lines)` if the schemas fit,
 * or may fit, but their TypeScript types don't.
 */
function messageCode(
  scope: RequestScope,
  message: ValueNode<string>,
  schema: MessageSchema | undefined,
): Code {
  return valueCode(scope, message, (leaf, place) => {
    const plain = scalarCode(scope, leaf);
    return schema === undefined || fitsField(scope, leaf, place, schema)
      ? plain
      : code`${scope.runtime("fitted")}(${plain})`;
  });
}

function fitsField(
  { parameters }: RequestScope,
  leaf: ScalarModel<string>,
  place: Steps,
  { json }: MessageSchema,
): boolean {
  if (leaf.kind !== "template" || literalText(leaf.template) !== undefined) return true;
  const wanted = shapeIn(json, place, "stated");
  const alone = loneValue(leaf.template);
  if (alone === undefined) return isAssignable(anyText, wanted);
  if (alone.kind === "root")
    return isAssignable(shapeIn(callerRoot.schema, alone.path, "stated"), wanted);
  const from = { schema: parameters, form: "filled" } as const;
  // TypeScript knows no type for the value, and none can be stated.
  if (isHidden(from, alone.path) && typeToState(from, alone.path) === undefined) return false;
  return isAssignable(shapeIn(parameters, alone.path, "filled"), wanted);
}

const textShapes = shapesOf({ type: "string" }, "stated");

/** Shape of text around parameters. */
const anyText: ShapeIn = { shape: textShapes.root, shapes: textShapes };

function shapeIn(model: SchemaModel, path: Steps, form: "filled" | "stated"): ShapeIn {
  return { shape: shapeAt(model, path, form).shape, shapes: shapesOf(model.schema, form) };
}

/** Emits the entries of a target. */
function targetCode(target: TargetModel, scope: RequestScope): View {
  return target.map((each) => ({ name: ident(each.field), value: fieldCode(each, scope) }));
}

function fieldCode(field: TargetField, scope: RequestScope): Code {
  if (field.kind === "fixed") return literal(field.value);
  return field.kind === "name"
    ? nameCode(field.template, scope)
    : templateCode(scope, field.template);
}

/**
 * Emits `"orders"`, or `targetName("orders.", ["/region", p.region])`, which checks the values of
 * each call against the broker's rules.
 */
function nameCode(template: TextTemplate<string>, scope: RequestScope): Code {
  const fixed = literalText(template);
  if (fixed !== undefined) return at(template.span, literal(fixed));
  const parts = partsCode(scope, template, (part) => {
    const extent = part.extent === undefined ? code`` : code`, ${literal(part.extent)}`;
    return code`[${literal(referencePointer(part))}, ${valuePartCode(scope, part)}${extent}]`;
  });
  return at(template.span, code`${scope.runtime("targetName")}(${join(parts, code`, `)})`);
}
