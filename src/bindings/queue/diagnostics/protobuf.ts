import type { DiagnosticEntries, DiagnosticEntry } from "../../../core/diagnostic-entry.js";
import { type ExampleTool, queueEntry } from "./example.js";

function tool(schema: string, name = "acme.Order"): ExampleTool {
  return {
    binding: [
      "topic: orders.created",
      "format: protobuf",
      `schema: ./order.proto${name === "" ? "" : `#${name}`}`,
      'message: { order_id: "{order_id}" }',
    ],
    files: { "order.proto": `${schema}\n` },
  };
}

/** An order with one more line. */
function order(line: string, syntax = "proto3"): string {
  const label = syntax === "proto2" ? "optional " : "";
  const fields = [`  ${label}string order_id = 1;`, ...(line === "" ? [] : [`  ${line}`])];
  return [`syntax = "${syntax}";`, "package acme;", "message Order {", ...fields, "}"].join("\n");
}

function entry(
  about: Pick<DiagnosticEntry, "title" | "explanation">,
  broken: string,
  fixed: string,
): DiagnosticEntry {
  return queueEntry(about, tool(broken), tool(fixed));
}

/** What can be wrong with a Protobuf schema. */
export const protobufDiagnosticEntries: DiagnosticEntries = {
  "queue/bad-protobuf-schema": entry(
    {
      title: "a schema that is not Protobuf's",
      explanation:
        "The schema is read by protobufjs, with the files that it imports: in the importing file's folder or the nearest above it that has such a file, as far as the skill's own, or Protobuf's own of " +
        "`google/protobuf/`. Types are found by their " +
        "names from the innermost scope outwards. What protobufjs takes though Protobuf does not, such as a field with the number 0, is reported too.",
    },
    order("strin note = 2;"),
    order("string note = 2;"),
  ),
  "queue/no-protobuf-message": queueEntry(
    {
      title: "a Protobuf schema without the message's name",
      explanation:
        "A .proto file may declare many messages: the one that is sent is named behind `#`, with its package.",
    },
    tool(order(""), ""),
    tool(order("")),
  ),
  "queue/unsupported-protobuf": entry(
    {
      title: "a field that JSON has no form for",
      explanation:
        "A message is written as JSON, and checked before it is encoded. An `Any` may hold what no schema here knows, and a group, which Protobuf itself gave up, is a message and a field at once.",
    },
    order("repeated group Line = 2 { optional string sku = 1; }", "proto2"),
    order("message Line { optional string sku = 1; } repeated Line line = 2;", "proto2"),
  ),
  "queue/endless-message": entry(
    {
      title: "a message that needs itself",
      explanation:
        "A required field without an end: each message would hold another one, so none could ever be written. A field that is optional or repeated ends it.",
    },
    order("required Order parent = 2;", "proto2"),
    order("optional Order parent = 2;", "proto2"),
  ),
};
