import { makeProject, type Ran, skillc } from "../../cli/support/command-line.js";
import { type ReportedDiagnostic, skillsIn } from "../openapi/support.js";

export interface ImportedFlows extends Ran {
  readonly root: string;
  /** Files of the skills, without the records of imports. */
  readonly files: Readonly<Record<string, string>>;
  readonly told: readonly ReportedDiagnostic[];
  readonly report: {
    readonly workflows: readonly {
      readonly workflowId: string;
      readonly tool: string | null;
      readonly taken: string;
      readonly notes: readonly { readonly code: string; readonly message: string }[];
    }[];
    readonly sources: readonly { readonly name: string; readonly import: string }[];
    readonly unread: Readonly<Record<string, string>>;
  };
}

/** An API with a read and a write. */
export const petApi = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
servers: [{ url: https://pets.example.com }]
paths:
  /pets/{id}:
    get:
      operationId: getPet
      tags: [pets]
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        "200": { description: A pet., content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
        "404": { description: None. }
  /orders:
    post:
      operationId: order
      tags: [orders]
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [pet], properties: { pet: { type: string }, note: { type: string }, count: { type: integer } } } } }
      responses:
        "201": { description: Made., content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: string } } } } } }
components:
  schemas:
    Pet: { type: object, required: [id, sold], properties: { id: { type: string }, sold: { type: boolean }, owner: { type: string }, price: { type: integer } } }
`;

/** A document with one workflow, `flow`, whose steps are given in YAML's flow style. */
export function flow(steps: string, more = ""): string {
  return `arazzo: 1.0.1
info: { title: Flows, version: 1.0.0 }
sourceDescriptions: [{ name: pets, url: ./api.yaml, type: openapi }]
workflows:
  - workflowId: flow
    inputs: { type: object, required: [id], properties: { id: { type: string }, note: { type: string } } }
    steps: ${steps}
${more}`;
}

/** A step that gets a pet. */
export const getPet = `{ stepId: get, operationId: getPet, parameters: [{ name: id, in: path, value: $inputs.id }] }`;

/** Imports `flows.arazzo.yaml` in a new project, beside `api.yaml`. */
export async function importFlows(
  text: string,
  argv: readonly string[] = [],
  files: Readonly<Record<string, string>> = { "api.yaml": petApi },
): Promise<ImportedFlows> {
  const root = makeProject({ "flows.arazzo.yaml": text, ...files });
  return importFlowsAgain(root, ["flows.arazzo.yaml", ...argv]);
}

/** Imports in a project; without a file, repeats its imports. */
export async function importFlowsAgain(
  root: string,
  argv: readonly string[] = [],
): Promise<ImportedFlows> {
  const ran = await skillc(root, ["import", "arazzo", ...argv, "--json"]);
  const printed = ran.stdout.startsWith("{") ? JSON.parse(ran.stdout) : { diagnostics: [] };
  // Without a source, the command reports a list of all imports.
  const report = printed.imports?.[0] ?? printed;
  return { ...ran, root, files: skillsIn(root), told: report.diagnostics, report };
}
