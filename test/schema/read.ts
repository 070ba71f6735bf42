import type { JsonValue } from "../../src/core/json.js";
import { createReport } from "../../src/core/report.js";
import type { SchemaModel } from "../../src/core/skill-model.js";
import { schemaDiagnosticEntries } from "../../src/schema/diagnostics.js";
import { readSchema } from "../../src/schema/read-schema.js";
import { write } from "./syntax.js";

export interface Reading {
  readonly model: SchemaModel | undefined;
  /** `severity code text message help` for each diagnostic, with the text of its span. */
  readonly lines: readonly string[];
}

/** Reads a schema and other files, by their path relative to the skill's folder. */
export function read(schema: JsonValue, files: Readonly<Record<string, JsonValue>> = {}): Reading {
  const texts = new Map<string, string>();
  const report = createReport(schemaDiagnosticEntries);
  const main = write(schema);
  texts.set("skills/demo/SKILL.md", main.text);
  const model = readSchema(main.node, {
    report,
    readFile(path) {
      const found = files[path];
      if (found === undefined) return undefined;
      const written = write(found, path);
      texts.set(path, written.text);
      return written.node;
    },
  });
  const lines = report.diagnostics().map(({ severity, code, span, message, help }) => {
    const covered = texts.get(span.file)?.slice(span.start, span.end) ?? "";
    return `${severity} ${code} at ${covered}: ${message}${help === undefined ? "" : ` (${help})`}`;
  });
  return { model, lines };
}

/** Reads a schema, and fails if there is a diagnostic. */
export function mustRead(
  schema: JsonValue,
  files: Readonly<Record<string, JsonValue>> = {},
): SchemaModel {
  const { model, lines } = read(schema, files);
  if (model === undefined) throw new Error(`not readable:\n${lines.join("\n")}`);
  return model;
}
