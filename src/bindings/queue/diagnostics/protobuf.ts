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

/** Returns the schema of an order with one more line. */
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

/** Diagnostics about Protobuf schemas. */
export const protobufDiagnosticEntries: DiagnosticEntries = {
  "queue/bad-protobuf-schema": entry(
    {
      title: "an invalid Protobuf schema",
      explanation:
        "protobufjs reads the schema and the files that it imports. skillc looks for an import in the folder of the importing file, and then in each folder above, up to the skill's own; `google/protobuf/` comes with Protobuf. A type name is looked up from the innermost scope outwards. skillc also reports errors that protobufjs accepts, such as a field with the number 0.",
    },
    order("strin note = 2;"),
    order("string note = 2;"),
  ),
  "queue/no-protobuf-message": queueEntry(
    {
      title: "a Protobuf schema without the name of the message",
      explanation:
        "A `.proto` file may declare several messages. Name the message to send after `#`, with its package.",
    },
    tool(order(""), ""),
    tool(order("")),
  ),
  "queue/unsupported-protobuf": entry(
    {
      title: "a field that has no JSON form",
      explanation:
        "skillc writes a message as JSON and checks it before it is encoded. An `Any` may hold a type that no schema here describes. A group, which Protobuf itself deprecates, is both a message and a field.",
    },
    order("repeated group Line = 2 { optional string sku = 1; }", "proto2"),
    order("message Line { optional string sku = 1; } repeated Line line = 2;", "proto2"),
  ),
  "queue/endless-message": entry(
    {
      title: "a message that always contains itself",
      explanation:
        "Each message must hold another message of the same type in a required field, without end. No such message could be written. Make the field optional or repeated to end the chain.",
    },
    order("required Order parent = 2;", "proto2"),
    order("optional Order parent = 2;", "proto2"),
  ),
};
