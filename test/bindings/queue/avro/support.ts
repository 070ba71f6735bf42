import type { JsonValue } from "../../../../src/core/json.js";
import { createReport } from "../../../../src/core/report.js";
import type { Diagnostic } from "../../../../src/core/diagnostic.js";
import { avroDiagnosticEntries } from "../../../../src/bindings/queue/diagnostics/avro.js";
import { readAvro } from "../../../../src/bindings/queue/avro/read-avro.js";
import type { MessageSchema } from "../../../../src/bindings/queue/message-schema.js";
import { createAjv } from "../../../../src/schema/ajv-instance.js";
import { schemaDiagnosticEntries } from "../../../../src/schema/diagnostics.js";
import { validatorSchema } from "../../../../src/schema/validator-schema.js";
import { jsonNode } from "../../../support/parse.js";

export interface Reading {
  readonly schema: MessageSchema | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** `code [text] message (help)` for each diagnostic. */
  readonly lines: readonly string[];
}

export function readText(text: string): Reading {
  const { node } = jsonNode(text, "order.avsc");
  if (node === undefined) throw new Error("not JSON that is read");
  const report = createReport({ ...avroDiagnosticEntries, ...schemaDiagnosticEntries });
  const schema = readAvro(node, report);
  const diagnostics = report.diagnostics();
  const lines = diagnostics.map(({ code, span, message, help }) => {
    const at = text.slice(span.start, span.end);
    return `${code} [${at}] ${message}${help === undefined ? "" : ` (${help})`}`;
  });
  return { schema, diagnostics, lines };
}

export function read(schema: JsonValue): Reading {
  return readText(JSON.stringify(schema));
}

/** Makes the schema of a record with these fields. */
export function recordOf(...fields: readonly JsonValue[]): JsonValue {
  return { type: "record", name: "acme.Order", fields };
}

/** Checks messages with a generated validator. */
export function validatorOf({ json }: MessageSchema): (message: unknown) => boolean {
  const ajv = createAjv(false);
  const schema = validatorSchema(json.schema, "stated", false);
  ajv.addSchema(typeof schema === "boolean" ? {} : schema, "message");
  const validate = ajv.getSchema("message");
  if (validate === undefined) throw new Error("added above");
  return (message) => validate(message) === true;
}
