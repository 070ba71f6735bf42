import { makeProject, type Ran, skillc } from "../../cli/support/command-line.js";
import { type ReportedDiagnostic, skillsIn } from "../openapi/support.js";

export interface ImportedDefinitions extends Ran {
  readonly root: string;
  /** Files of the skills, without the record of the import. */
  readonly files: Readonly<Record<string, string>>;
  readonly told: readonly (ReportedDiagnostic & { readonly severity: string })[];
  readonly report: {
    readonly tools: readonly {
      readonly name: string;
      readonly skill: string | null;
      readonly tool: string | null;
      readonly taken: string;
      readonly notes: readonly { readonly code: string; readonly message: string }[];
    }[];
    readonly changes: { readonly verdict: string | null } | null;
  };
}

/** Makes a tool definition, which compiles unless `more` spoils it. */
export function definition(
  name: string,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    name,
    description: `Does ${name}.`,
    category: "desk",
    parameters: [{ name: "order_id", type: "string", required: true }],
    output_schema: { state: { type: "string" } },
    ...more,
  };
}

/** Imports `agent.json` in a new project. */
export async function importDefinitions(
  definitions: unknown,
  argv: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
): Promise<ImportedDefinitions> {
  const text = typeof definitions === "string" ? definitions : JSON.stringify(definitions);
  return importAgain(makeProject({ "agent.json": text, ...files }), ["agent.json", ...argv]);
}

/** Imports in a project; without a file, repeats its imports. */
export async function importAgain(
  root: string,
  argv: readonly string[] = [],
): Promise<ImportedDefinitions> {
  const ran = await skillc(root, ["import", "auto-agent", ...argv, "--json"]);
  const printed = ran.stdout.startsWith("{") ? JSON.parse(ran.stdout) : { diagnostics: [] };
  // Without a source, the command reports a list of all imports.
  const report = printed.imports?.[0] ?? printed;
  return { ...ran, root, files: skillsIn(root), told: report.diagnostics, report };
}

/** Returns the messages about a tool. */
export function notesOn({ report }: ImportedDefinitions, name: string): readonly string[] {
  return (report.tools.find((each) => each.name === name)?.notes ?? []).map(
    ({ message }) => message,
  );
}
