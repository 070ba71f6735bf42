import type { DiagnosticEntries } from "../../core/diagnostic-entry.js";
import {
  callerDiagnosticEntries,
  referenceDiagnosticEntries,
} from "../../kit/reference-diagnostics.js";
import { avroDiagnosticEntries } from "./diagnostics/avro.js";
import {
  fieldDiagnosticEntries,
  messageDiagnosticEntries,
  receiptDiagnosticEntries,
} from "./diagnostics/message.js";
import { protobufDiagnosticEntries } from "./diagnostics/protobuf.js";
import { targetDiagnosticEntries } from "./diagnostics/target.js";
import { exampleProject } from "./diagnostics/example.js";

/** All diagnostic entries of queue bindings. */
export const queueDiagnosticEntries: DiagnosticEntries = {
  ...referenceDiagnosticEntries("queue", (text, unused = []) =>
    exampleProject({
      parameters: ["order_id: string", "note: string"],
      tool: unused.length === 0 ? [] : [`unused: [${unused.join(", ")}]`],
      binding: ["topic: orders.created", `message: { text: "${text}" }`],
    }),
  ),
  ...callerDiagnosticEntries("queue", (field, parameter) =>
    exampleProject({
      parameters: [`${parameter}: string`],
      binding: ["topic: orders.created", `headers_mapping: { tenant: "{caller.${field}}" }`],
    }),
  ),
  ...targetDiagnosticEntries,
  ...fieldDiagnosticEntries,
  ...messageDiagnosticEntries,
  ...receiptDiagnosticEntries,
  ...avroDiagnosticEntries,
  ...protobufDiagnosticEntries,
};
