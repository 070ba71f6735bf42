import type { Catalogue, ProjectFiles } from "../../core/catalogue.js";
import { entry, skill, tool } from "./examples.js";

const tools = tool("customer_id: string");
const toolsJson = (key: string) =>
  `{"${key}": {"create-order": {"description": "Create an order.", "customer_id": "string"}}}\n`;

/** A tool whose message has that schema, in that file. */
function announced(schema: string, file: string): ProjectFiles {
  const binding = [
    "type: queue",
    "provider: kafka",
    "connection: ${ORDER_EVENTS}",
    "topic: orders.created",
    "format: avro",
    `schema: ${schema}`,
  ];
  return {
    "skills/order-desk/SKILL.md": skill(
      ...tool("customer_id: string", "binding:", ...binding.map((line) => `  ${line}`)),
    ),
    [file]:
      '{"type": "record", "name": "Order", "fields": [{"name": "customer_id", "type": "string"}]}\n',
  };
}

/** Codes about a skill as a whole, and the files that it names. */
export const skillCatalogue: Catalogue = {
  "skill/not-portable": entry(
    "warning",
    "a skill that other loaders may refuse",
    "The Agent Skills specification allows the keys `name` (lower-case letters, digits and single hyphens, the folder's name), " +
      "`description` (1 to 1024 characters), `license`, `compatibility` (1 to 500), `metadata` (texts only) and `allowed-tools` (a text). " +
      "skillc reads more than that, and takes the skill as it is; another loader that keeps to the specification may not. It is told once a skill, with every key. `--strict` makes this an error. Tools and settings " +
      "that stand in metadata.json or metadata.yaml leave SKILL.md portable.",
    tools,
    {
      "skills/order-desk/SKILL.md": skill(),
      "skills/order-desk/metadata.json": toolsJson("tools_schema"),
    },
  ),
  "skill/tools-declared-twice": entry(
    "error",
    "tools in two places",
    "A skill's tools stand in one place: `metadata.tools_schema`, `tools_schema`, `metadata.tools` or `tools` of the front matter, or " +
      "`tools_schema` or `tools` of metadata.json or metadata.yaml. With two, nothing says which one holds.",
    {
      "skills/order-desk/SKILL.md": skill(...tools),
      "skills/order-desk/metadata.json": toolsJson("tools"),
    },
    tools,
  ),
  "skill/tools-not-a-mapping": entry(
    "error",
    "tools that are no mapping",
    "`tools` and `tools_schema` map the name of each tool to its declaration. What a skill may use is listed in `allowed-tools`.",
    ["tools: Read, Write"],
    ["allowed-tools: Read Write"],
  ),
  "skill/misplaced-tools": entry(
    "error",
    "tools under a key that is not theirs",
    "Tools stand under `tools_schema` or `tools`, at the top level of the front matter or in its `metadata`. Under another key, or beside " +
      "those, nobody looks for them, and the skill would have none.",
    tools.map((line) => line.replace(/^tools:/, "tool:")),
    tools,
  ),
  "skill/declared-twice": entry(
    "error",
    "a setting in two places",
    "`risk_level`, `prerequisites`, `requires_confirmation` and `accept` each stand in one place: at the top level of the front matter, in its " +
      "`owlclaw:` block, or at the top level of metadata.json or metadata.yaml.",
    ["risk_level: high", "owlclaw:", "  risk_level: low"],
    ["risk_level: high"],
  ),
  "skill/unknown-key": entry(
    "error",
    "an unknown key among the prerequisites",
    "`prerequisites` has the keys `env`, `bins`, `config` and `os`. A misspelt one would ask for nothing.",
    ["prerequisites:", "  bin: [jq]"],
    ["prerequisites:", "  bins: [jq]"],
  ),
  "skill/wrong-type": entry(
    "error",
    "a setting of the wrong type",
    'Values are never converted: a list of one name is still a list, and `"true"` is text.',
    ["prerequisites:", "  env: ORDERS_TOKEN"],
    ["prerequisites:", "  env: [ORDERS_TOKEN]"],
  ),
  "skill/wrong-value": entry(
    "error",
    "a setting with a value that it can't have",
    "`risk_level` is `low`, `medium`, `high` or `critical`; `os` lists systems as Node's `process.platform` names them.",
    ["risk_level: hihg"],
    ["risk_level: high"],
  ),
  "skill/foreign-key": entry(
    "info",
    "a key that belongs to someone else",
    "Keys of the `owlclaw:` block that skillc doesn't know mean something to another runtime, as does what other publishers keep in " +
      "metadata.json or metadata.yaml. They are left alone.",
    ["owlclaw:", "  focus: orders"],
    ["owlclaw:", "  risk_level: low"],
  ),
  "skill/ignored-key": entry(
    "info",
    "a key without effect",
    "`prerequisites.python_packages` says what a Python runtime needs. Generated tools run in Node.",
    ["prerequisites:", "  python_packages: [requests]"],
    ["prerequisites:", "  env: [ORDERS_TOKEN]"],
  ),
  "file/outside-skills": entry(
    "error",
    "a file outside of the skills folder",
    "A skill names files relative to its own folder, and stays below the skills folder. Absolute paths, URLs and paths that climb out of it " +
      "are never read.",
    tool("parameters:", "  $ref: ../../order.json"),
    {
      "skills/order-desk/SKILL.md": skill(...tool("parameters:", "  $ref: ./order.json")),
      "skills/order-desk/order.json": '{"type": "object"}\n',
    },
  ),
  "file/not-in-skill": entry(
    "error",
    "a file outside of the skill's own folder",
    "The schema of a message, and what a Protobuf file imports, belong to the skill: they are below its own folder, and no link to a file that is elsewhere. Another skill may change, move or lose " +
      "its files. What a JSON Schema refers to with `$ref` may be anywhere below the skills folder.",
    announced("../shared/order.avsc", "skills/shared/order.avsc"),
    announced("./order.avsc", "skills/order-desk/order.avsc"),
  ),
  "file/not-found": entry(
    "error",
    "a file that isn't there",
    "The skill names a file that does not exist. Names are compared exactly, letter case included, so that the skill works on every system.",
    tool("parameters:", "  $ref: ./order.json"),
    {
      "skills/order-desk/SKILL.md": skill(...tool("parameters:", "  $ref: ./order.json")),
      "skills/order-desk/order.json": '{"type": "object"}\n',
    },
  ),
};
