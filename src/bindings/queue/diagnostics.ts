import type { DiagnosticEntries } from "../../core/diagnostic-entry.js";
import { referenceDiagnosticEntries } from "../reference-diagnostics.js";
import { avroDiagnosticEntries } from "./diagnostics/avro.js";
import {
  fieldDiagnosticEntries,
  messageDiagnosticEntries,
  receiptDiagnosticEntries,
} from "./diagnostics/message.js";
import { protobufDiagnosticEntries } from "./diagnostics/protobuf.js";
import { targetDiagnosticEntries } from "./diagnostics/target.js";
import { exampleProject } from "./diagnostics/example.js";

/** Every diagnostic code of queue bindings. */
export const queueDiagnosticEntries: DiagnosticEntries = {
  ...referenceDiagnosticEntries("queue", (text, unused = []) =>
    exampleProject({
      parameters: ["order_id: string", "note: string"],
      tool: unused.length === 0 ? [] : [`unused: [${unused.join(", ")}]`],
      binding: ["topic: orders.created", `message: { text: "${text}" }`],
    }),
  ),
  ...targetDiagnosticEntries,
  ...fieldDiagnosticEntries,
  ...messageDiagnosticEntries,
  ...receiptDiagnosticEntries,
  ...avroDiagnosticEntries,
  ...protobufDiagnosticEntries,
};
