import { makeProject, type Ran, skillc } from "../../cli/support/command-line.js";
import { type ReportedDiagnostic, skillsIn } from "../openapi/support.js";

export interface ImportedManifest extends Ran {
  readonly root: string;
  /** Files of the skills, without the record of the import. */
  readonly files: Readonly<Record<string, string>>;
  readonly told: readonly ReportedDiagnostic[];
  readonly report: {
    readonly skill: string;
    readonly tools: readonly {
      readonly id: string;
      readonly tool: string | null;
      readonly taken: string;
      readonly notes: readonly { readonly code: string; readonly message: string }[];
    }[];
    readonly changes: { readonly verdict: string | null } | null;
  };
}

/** Makes a tool of a hub, which compiles unless `more` spoils it. */
export function hubTool(
  id: string,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    id,
    description: `Does ${id}.`,
    risk_level: "read",
    command: ["python3", `/app/${id}.py`],
    allowed_paths: ["/workspace"],
    ...more,
  };
}

/** Imports `tools.json` in a new project. */
export async function importManifest(
  manifest: unknown,
  argv: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
): Promise<ImportedManifest> {
  const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
  return importAgain(makeProject({ "tools.json": text, ...files }), ["tools.json", ...argv]);
}

/** Imports in a project; without a file, repeats its imports. */
export async function importAgain(
  root: string,
  argv: readonly string[] = [],
): Promise<ImportedManifest> {
  const ran = await skillc(root, ["import", "manifest", ...argv, "--json"]);
  const printed = ran.stdout.startsWith("{") ? JSON.parse(ran.stdout) : { diagnostics: [] };
  // Without a source, the command reports a list of all imports.
  const report = printed.imports?.[0] ?? printed;
  return { ...ran, root, files: skillsIn(root), told: report.diagnostics, report };
}

/** Returns the reasons for which tools were left out, by the tools' ids. */
export function reasonsIn({ report }: ImportedManifest): Readonly<Record<string, string>> {
  return Object.fromEntries(
    report.tools
      .filter(({ tool }) => tool === null)
      .map(({ id, notes }) => [id, notes.map(({ message }) => message).join("; ")]),
  );
}
