import type { DiagnosticEntries } from "../../core/diagnostic-entry.js";
import { referenceDiagnostics } from "../reference-diagnostics.js";
import { avroDiagnostics } from "./diagnostics/avro.js";
import { fieldDiagnostics, messageDiagnostics, receiptDiagnostics } from "./diagnostics/message.js";
import { protobufDiagnostics } from "./diagnostics/protobuf.js";
import { targetDiagnostics } from "./diagnostics/target.js";
import { exampleProject } from "./diagnostics/example.js";

/** Every diagnostic code of queue bindings. */
export const queueDiagnostics: DiagnosticEntries = {
  ...referenceDiagnostics("queue", (text, unused = []) =>
    exampleProject({
      parameters: ["order_id: string", "note: string"],
      tool: unused.length === 0 ? [] : [`unused: [${unused.join(", ")}]`],
      binding: ["topic: orders.created", `message: { text: "${text}" }`],
    }),
  ),
  ...targetDiagnostics,
  ...fieldDiagnostics,
  ...messageDiagnostics,
  ...receiptDiagnostics,
  ...avroDiagnostics,
  ...protobufDiagnostics,
};
