import type { DiagnosticEntries, DiagnosticEntry, ProjectFiles } from "../core/diagnostic-entry.js";

const sound = `openapi: 3.1.0
info: { title: Pet Store, version: 1.0.0 }
paths:
  /pets/{id}:
    get:
      operationId: getPet
      tags: [pets]
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses:
        "200": { description: A pet., content: { application/json: {} } }
`;

const flows = `arazzo: 1.0.1
info: { title: Look up pets, version: 1.0.0 }
sourceDescriptions: [{ name: pets, url: ./api.yaml, type: openapi }]
workflows:
  - workflowId: look-up
    inputs: { type: object, required: [id], properties: { id: { type: string } } }
    steps:
      - stepId: get
        operationId: getPet
        parameters: [{ name: id, in: path, value: $inputs.id }]
  - workflowId: look-up-twice
    inputs: { type: object, required: [id], properties: { id: { type: string } } }
    steps:
      - { stepId: one, workflowId: look-up, parameters: [{ name: id, value: $inputs.id }] }
      - { stepId: two, workflowId: look-up, parameters: [{ name: id, value: $inputs.id }] }
`;

const fixed: ProjectFiles = { "api.yaml": sound };

function changed(from: string, to: string): ProjectFiles {
  return { "api.yaml": sound.replace(from, to) };
}

const overrides = "skills/.import/pet-store/overrides.yaml";

function entry(
  severity: DiagnosticEntry["severity"],
  title: string,
  explanation: string,
  example: ProjectFiles,
  mended: ProjectFiles = fixed,
): DiagnosticEntry {
  return { severity, title, explanation, example, fixed: mended };
}

/** Returns the text of a hub manifest. */
function hubTools(ids: readonly string[]): string {
  const tools = ids.map((id) => ({
    id,
    risk_level: "read",
    command: ["python3", `/app/${id}.py`],
    allowed_paths: ["/data"],
  }));
  return `${JSON.stringify(tools, null, 2)}\n`;
}

const record = `{ "format": 1, "kind": "openapi", "request": { "source": "api.yaml" }, "operations": {}, "files": ["pets/metadata.yaml"] }\n`;
const edited = `tools_schema:\n  get-pet: { description: Look a pet up. }\n`;
const before = `tools_schema:\n  get-pet: { description: Find a pet. }\n`;

const withTokens = `${sound}security: [{ login: [] }]
components:
  securitySchemes:
    login:
      type: oauth2
      flows: { clientCredentials: { tokenUrl: https://id.example.com/token, scopes: {} } }
`;

/** A project whose last import wrote this token endpoint. */
function tokensFrom(tokenUrl: string): ProjectFiles {
  const auth = `auth: { oauth2: { client_id: "\${PET_STORE_CLIENT_ID}", token_url: "${tokenUrl}" } }\n`;
  return {
    "api.yaml": withTokens,
    "skills/pets/metadata.yaml": auth,
    "skills/.import/pet-store/import.json": record,
    "skills/.import/pet-store/base/pets/metadata.yaml": auth,
  };
}

/**
 * Codes that only `skillc import` reports. Each example imports its `api.yaml` or `tools.json`;
 * database imports report the shared codes in the same way.
 */
export const importDiagnosticEntries: DiagnosticEntries = {
  "import/unknown-format": entry(
    "error",
    "a file in another format",
    'A document says which format it has: `openapi: 3.0.3`, `3.1.0` or `3.2.0`, or `swagger: "2.0"`. skillc does not guess at other formats, or at later ' +
      "versions of OpenAPI. A hub manifest is a tool with `id` and `command`, a list of such tools, an object with the list under `tools`, or " +
      "`{ name: { cmd } }`. A tool definition of an agent has a `name` and a list of `parameters`; a file has one definition or a list of them.",
    changed("openapi: 3.1.0", "asyncapi: 3.0.0"),
  ),
  "import/too-large": entry(
    "error",
    "a document, or the output of its import, is too large",
    "An import reads 100 MiB of JSON, or 16 MiB of YAML, with 200 levels of nesting and 3,000,000 values. An alias counts as often as it is used. The " +
      "compiler must be able to read the output, so each file has at most 2 MiB.",
    { "api.yaml": `{ "openapi": "3.1.0", "x-deep": ${"[".repeat(210)}${"]".repeat(210)} }\n` },
  ),
  "import/broken-record": entry(
    "error",
    "the record of the last import cannot be read",
    "`.import/` in the skills folder holds what the last import wrote. From it, the next import tells your edits from changes of the API. Without it, the " +
      "import does nothing. The record is committed with the skills: restore it from the last commit.",
    { ...fixed, "skills/.import/pet-store/import.json": "kept by hand\n" },
  ),
  "import/other-document": entry(
    "error",
    "a different document was imported under this name",
    "An import is identified by the name of the API, and many APIs have the same name. This document has few of the operations of the last import with that " +
      "name, and it comes from another place. As a new version, it would remove all skills of the other API. Use `--name` to give it a name of its own, or to " +
      "confirm that it is the same API.",
    {
      ...fixed,
      "skills/.import/pet-store/import.json": `{ "format": 1, "kind": "openapi", "request": { "source": "shop.yaml" }, "operations": { "GET /orders": "orders/list-orders" }, "files": [] }\n`,
    },
  ),
  "import/foreign-file": entry(
    "error",
    "a file that no import wrote is in the way",
    "A skill with this name exists already, and an import never overwrites a file that it did not write. `--prefix` puts a word before the name of each " +
      "skill. `--skill` makes one skill of everything.",
    { ...fixed, "skills/pets/SKILL.md": "---\nname: pets\ndescription: Ours.\n---\nAsk Ada.\n" },
  ),
  "import/conflict": entry(
    "warning",
    "an entry or a file that both you and the source of the import changed",
    "You and the source changed the same entry since the last import. The import keeps your text, and writes everything else. The help names the copy of the " +
      "import's own text, and `gunzip -c` prints the copy.",
    {
      ...fixed,
      "skills/pets/metadata.yaml": edited,
      "skills/.import/pet-store/import.json": record,
      "skills/.import/pet-store/base/pets/metadata.yaml": before,
    },
  ),
  "import/invalid-override": entry(
    "error",
    "a mistake in `overrides.yaml`",
    "`overrides.yaml` in the import's folder below `.import/` holds your choices for single operations: `name`, `auth` and `media_type`. The import writes nothing until the file is " +
      "right.",
    { ...fixed, [overrides]: "operations:\n  getPet: { nmae: show-pet }\n" },
    { ...fixed, [overrides]: "operations:\n  getPet: { name: show-pet }\n" },
  ),
  "import/unused-override": entry(
    "warning",
    "an entry of `overrides.yaml` without effect",
    "`overrides.yaml` names an operation that the document does not have, or no longer has, or a media type that the operation does not have. The import ignores the entry.",
    { ...fixed, [overrides]: "operations:\n  getDog: { name: show-dog }\n" },
  ),
  "import/literal-token-url": entry(
    "info",
    "client secrets go to a literal address",
    "An earlier skillc wrote the token endpoint of the document into the skill. Now the endpoint is a setting, so that a document never decides where a " +
      "client secret goes. A new import keeps the literal, because the setting may have no value yet. The message says how to use the setting.",
    tokensFrom("https://id.example.com/token"),
    tokensFrom("${PET_STORE_TOKEN_URL}"),
  ),
  "import/out-of-date": entry(
    "error",
    "the skills differ from what they were imported from",
    "`skillc import … --check` reports each file that an import would write or remove. Your own edits do not " +
      "count, because an import keeps them. skillc also reports each file that an import did not write or remove before it was killed: the next import does " +
      "the rest.",
    fixed,
  ),
  "import/unread-reference": entry(
    "warning",
    "a reference to a document that skillc does not read",
    "An import reads what the command line names: the document, files beside it or in the project, pages of its own origin, and the targets of `--allow`. It " +
      "connects to a private network only if the command line names one of its addresses, and never to a metadata service. It follows no redirect to another " +
      "origin. If the command line names no document, the record of the last import does; the import then reads only files of the project and public https " +
      "addresses.",
    changed("schema: { type: string }", "schema: { $ref: ../../elsewhere.yaml#/id }"),
  ),
  "import/invalid-document": entry(
    "warning",
    "a document that does not fit the schema of its version",
    "The OpenAPI Initiative publishes a JSON Schema for each version, and the document does not fit it here. The import goes on. If skillc cannot read a " +
      "part of an operation, it reports that at the operation.",
    changed("operationId: getPet", "operationId: [getPet]"),
  ),
  "import/repeated-operation": entry(
    "warning",
    "two operations with the same id or the same path",
    "An operationId names one operation. `/pets/{id}` and `/pets/{name}` are the same path, because only the names in them differ. Both operations become " +
      "tools, named by their methods and paths.",
    {
      "api.yaml": `${sound}  /pets:\n    get:\n      operationId: getPet\n      tags: [pets]\n      responses: { "204": { description: None. } }\n`,
    },
  ),
  "import/repeated-tool": entry(
    "error",
    "two tools with one id, or one name",
    "An id names one tool of a hub, and a name one tool definition. Only their author knows which of the two is right, so the import writes nothing.",
    { "tools.json": hubTools(["backup_notes", "backup_notes"]) },
    { "tools.json": hubTools(["backup_notes", "restore_notes"]) },
  ),
  "import/no-tools": entry(
    "error",
    "an import without any tool",
    "Every operation, table or tool of the source is left out, and a warning gives the reason for each. The import writes nothing. It removes nothing either, because the source may " +
      "have a form that this version of skillc does not know.",
    changed("    get:", "    trace:"),
  ),
  "import/operation-left-out": entry(
    "warning",
    "an operation, or a listed tool, that does not become a tool",
    "The message gives the reason: tools do not send its method, a reference in it leads to nothing, its command needs a shell, or a tool cannot express something that it needs. " +
      "skillc imports the others.",
    { "api.yaml": `${sound}    trace: { operationId: tracePet, responses: {} }\n` },
  ),
  "import/workflow-left-out": entry(
    "warning",
    "a workflow that does not become a plan",
    "The message gives the reason: a step calls no operation that became a tool, a required parameter has no value, an action goes back, or workflows call one another in a circle. " +
      "skillc imports the other workflows.",
    {
      ...fixed,
      "flows.arazzo.yaml": flows.replace("$inputs.id", "$steps.other.outputs.id"),
    },
    { ...fixed, "flows.arazzo.yaml": flows },
  ),
  "import/part-left-out": entry(
    "info",
    "a part of an operation, or of a listed tool, that a tool cannot express",
    "The operation becomes a tool without this part, such as a callback, a link, or a keyword that JSON Schema does not have. The message says what the tool " +
      "does instead.",
    changed("schema: { type: string }", "schema: { type: string, format: [id] }"),
  ),
  "import/taken-otherwise": entry(
    "info",
    "one of several options, or a shortened text",
    "The tool loses nothing that the operation does. It has one of several media types or kinds of authentication. Its description is cut to the length that " +
      "models get. A limit beyond all integers that a call takes is left out. A warning of the compiler is accepted. The message says which of these applies.",
    changed(
      '"200": { description: A pet., content: { application/json: {} } }',
      '"200": { description: A pet., content: { application/json: {}, application/xml: {} } }',
    ),
  ),
};
