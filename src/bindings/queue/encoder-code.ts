import { type Code, code, generated, imported, literal } from "../../core/code.js";
import type { BindingEmission, EmitInput } from "../binding.js";
import type { MessageSchema } from "./message-schema.js";
import type { QueueConfig } from "./model.js";

const suffix = "encode";

/** The expression of a tool's encoder: its schema goes with the module, so that nothing is read when it runs. */
export function encoderCode({
  companionModule,
  config,
  runtime,
  schemas,
}: EmitInput<QueueConfig>): Code {
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

/** The module with protobufjs' own code. */
export function companionOf(schema: MessageSchema | undefined): BindingEmission["companion"] {
  if (schema?.encoding.kind !== "protobuf") return undefined;
  return { suffix, code: generated(schema.encoding.code) };
}
