import type { Catalogue } from "../../core/catalogue.js";
import { entry, tool } from "./examples.js";

/** Codes about a tool's own keys and its parameters. */
export const toolCatalogue: Catalogue = {
  "tool/not-a-mapping": entry(
    "error",
    "a tool that is no mapping",
    "A tool's name stands before a mapping with its description, its parameters and its binding.",
    ["tools:", "  create-order: Create an order."],
    tool(),
  ),
  "tool/unknown-key": entry(
    "error",
    "a key that is neither a tool's nor a parameter",
    "Beside a tool's own keys, each key of the short form declares a parameter: by a type name, or by a mapping with `type` or `enum`. Anything else is " +
      "most likely a misspelling. With a full `parameters` no other key declares one.",
    tool("parametrs:", "  properties: { customer_id: { type: string } }"),
    tool("parameters:", "  type: object", "  properties: { customer_id: { type: string } }"),
  ),
  "tool/unknown-type": entry(
    "error",
    "a parameter of an unknown type",
    "The types of the short form are JSON Schema's: `string`, `number`, `integer`, `boolean`, `array`, `object`. An optional parameter is " +
      "marked at its name: `note?: string`. A `sql` tool may leave the type out: then it is what the database takes.",
    tool("total: float"),
    tool("total: number"),
  ),
  "tool/required-flag": entry(
    "error",
    "`required` inside a parameter",
    "In the short form every parameter is required unless `?` ends its name or it has a default. In JSON Schema `required` is a list of " +
      "names, beside `properties`.",
    tool("note: { type: string, required: false }"),
    tool("note?: { type: string }"),
  ),
  "tool/parameter-twice": entry(
    "error",
    "a parameter declared twice",
    "`note` and `note?` are the same parameter, once required and once optional.",
    tool("note: string", "note?: string"),
    tool("note?: string"),
  ),
  "tool/parameters-twice": entry(
    "error",
    "`params` beside `parameters`",
    "`params` is another name for `parameters`. With both, nothing says which one holds.",
    tool("parameters: { type: object }", "params: { type: object }"),
    tool("parameters: { type: object }"),
  ),
  "tool/parameters-not-object": entry(
    "error",
    "parameters that are no object",
    "Callers and models pass parameters by name, so the schema under `parameters` has `type: object` at its top.",
    tool("parameters:", "  properties: { customer_id: { type: string } }"),
    tool("parameters:", "  type: object", "  properties: { customer_id: { type: string } }"),
  ),
  "tool/wrong-type": entry(
    "error",
    "a key of a tool with a value of the wrong type",
    'Values are never converted: a version is text, tags are a list, `"true"` is not `true`.',
    tool("version: 1.0"),
    tool('version: "1.0"'),
  ),
  "tool/wrong-value": entry(
    "error",
    "a key of a tool with a value that it can't have",
    "`risk_level` is `low`, `medium`, `high` or `critical`.",
    tool("risk_level: hihg"),
    tool("risk_level: high"),
  ),
};
