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
        "200": { description: A pet. }
`;

const fixed: ProjectFiles = { "api.yaml": sound };

function changed(from: string, to: string): ProjectFiles {
  return { "api.yaml": sound.replace(from, to) };
}

function entry(
  severity: DiagnosticEntry["severity"],
  title: string,
  explanation: string,
  example: ProjectFiles,
  mended: ProjectFiles = fixed,
): DiagnosticEntry {
  return { severity, title, explanation, example, fixed: mended };
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

/** The last import of it wrote this token endpoint. */
function tokensFrom(tokenUrl: string): ProjectFiles {
  const auth = `auth: { oauth2: { client_id: "\${PET_STORE_CLIENT_ID}", token_url: "${tokenUrl}" } }\n`;
  return {
    "api.yaml": withTokens,
    "skills/pets/metadata.yaml": auth,
    "skills/.import/pet-store/import.json": record,
    "skills/.import/pet-store/base/pets/metadata.yaml": auth,
  };
}

/** Every code that `skillc import` alone can report. Each example imports its
 * `api.yaml`: those that a database can have, too, are the same there. */
export const importDiagnosticEntries: DiagnosticEntries = {
  "import/unknown-format": entry(
    "error",
    "a document that is no description of an API",
    'What is imported says which format it is: `openapi: 3.0.3`, `3.1.0` or `3.2.0`, or `swagger: "2.0"`. Other formats, and versions of OpenAPI that are not known yet, are not guessed at.',
    changed("openapi: 3.1.0", "asyncapi: 3.0.0"),
  ),
  "import/too-large": entry(
    "error",
    "a document, or what would be written of it, is too large",
    "An import reads 100 MiB of JSON, or 16 MiB of YAML, with 200 levels of nesting and 3,000,000 values, aliases counted as often as they are used. What it writes must be what the compiler reads: files of at most 2 MiB.",
    changed("type: string", `example: ${"[".repeat(100)}${"]".repeat(100)}, type: string`),
  ),
  "import/broken-record": entry(
    "error",
    "the record of the last import can't be read",
    "`.import/` in the skills folder holds what the last import wrote. By it the next one tells what people changed from what the API changed, so nothing is done without it. It is committed with the skills: take it from the last commit.",
    { ...fixed, "skills/.import/pet-store/import.json": "kept by hand\n" },
  ),
  "import/other-document": entry(
    "error",
    "a document that is not the one that was imported under its name",
    "An import is known by what the API is called, and many are called alike. This one has few of the operations that the last import of that name had, from another place: taken for a new version, it would remove all skills of the other. `--name` gives it a name of its own, or says that it is the same API after all.",
    {
      ...fixed,
      "skills/.import/pet-store/import.json": `{ "format": 1, "kind": "openapi", "request": { "source": "shop.yaml" }, "operations": { "GET /orders": "orders/list-orders" }, "files": [] }\n`,
    },
  ),
  "import/foreign-file": entry(
    "error",
    "a file that no import wrote stands where one would be written",
    "A skill of the name is there already. An import overwrites nothing that it didn't write. `--prefix` puts a word before each skill's name, `--skill` makes one skill of all.",
    { ...fixed, "skills/pets/SKILL.md": "---\nname: pets\ndescription: Ours.\n---\nAsk Ada.\n" },
  ),
  "import/conflict": entry(
    "warning",
    "something was changed by people, and otherwise by the API or the database",
    "Both changed the same place since the last import. What people wrote stays, and everything else of the import is written. The import's own text is in `.import/`, in the folder `base`.",
    {
      ...fixed,
      "skills/pets/metadata.yaml": edited,
      "skills/.import/pet-store/import.json": record,
      "skills/.import/pet-store/base/pets/metadata.yaml": before,
    },
  ),
  "import/literal-token-url": entry(
    "info",
    "client secrets go to a literal address",
    "An earlier skillc wrote the token endpoint of a document into the skill. Now it is a setting, so that a document never decides where a client secret goes. Importing again keeps the literal: the setting may not be set anywhere. The message says what to write for the setting.",
    tokensFrom("https://id.example.com/token"),
    tokensFrom("${PET_STORE_TOKEN_URL}"),
  ),
  "import/out-of-date": entry(
    "error",
    "the skills are not what the document or the database says now",
    "Reported by `skillc import openapi --check`, and by `skillc import database --check`, for each file that an import would write or remove. What people changed on purpose doesn't count: an import leaves it as it is. Also reported for each file that an import had still to write or remove when it was killed: the next import does the rest.",
    fixed,
  ),
  "import/unread-reference": entry(
    "warning",
    "a reference leads to a document that is not read",
    "An import reads what the command line names: the document, files beside it or in the project, pages of its own origin, and what `--allow` names. Addresses of private networks are connected to only where the command line names one, those of metadata services never, and no redirect is followed to another origin. Without a document on the command line, the record of the last import names the document; then only files of the project and public https addresses are read.",
    changed("schema: { type: string }", "schema: { $ref: ../../elsewhere.yaml#/id }"),
  ),
  "import/invalid-document": entry(
    "warning",
    "a document is not as the schema of its own version says",
    "The OpenAPI Initiative publishes a JSON Schema for each version. The document breaks it here. The import goes on: what of an operation can't be read is told at the operation.",
    changed("operationId: getPet", "operationId: [getPet]"),
  ),
  "import/repeated-operation": entry(
    "warning",
    "two operations have one id, or one path but for the names in it",
    "An operationId names one operation, and `/pets/{id}` and `/pets/{name}` are one path. Both become tools, with names made of their methods and paths.",
    {
      "api.yaml": `${sound}  /pets:\n    get:\n      operationId: getPet\n      tags: [pets]\n      responses: { "200": { description: Pets. } }\n`,
    },
  ),
  "import/operation-left-out": entry(
    "warning",
    "an operation that becomes no tool",
    "The message says why: its method is none that tools send, a reference in it leads to nothing, or something that it needs can't be said. The other operations are imported.",
    changed("    get:", "    trace:"),
  ),
  "import/part-left-out": entry(
    "info",
    "a part of an operation that a tool can't say",
    "The operation becomes a tool without that part: a callback, a link, a keyword that JSON Schema doesn't have. The message says what the tool does instead.",
    changed("schema: { type: string }", "schema: { type: string, format: [id] }"),
  ),
  "import/taken-otherwise": entry(
    "info",
    "one of several ways, or a text that is cut",
    "Nothing that the operation does is lost: of several media types or ways to authenticate a tool has one, a description is cut to what models are told of a tool, and a limit beyond all integers that a call takes is left out. The message says which.",
    changed(
      '"200": { description: A pet. }',
      '"200": { description: A pet., content: { application/json: {}, application/xml: {} } }',
    ),
  ),
};
