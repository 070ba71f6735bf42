import { runtimeEntry } from "../../core/runtime-entry.js";
import type { TextRange } from "../../core/span.js";
import type { BindingKind } from "../../kit/binding.js";
import type { CheckedReferences } from "../../kit/kind-engine.js";
import { defineBinding } from "../../kit/binding.js";
import { callerRoot } from "../../kit/caller-root.js";
import { loadTemplate } from "../../kit/load-template.js";
import { everySqlData, sqlAnswers, sqlDataSchema } from "./answers.js";
import { sqlCapabilities, sqlCapabilityForm } from "./capabilities.js";
import { checkSql } from "./check.js";
import type { OpenEmbedded } from "./database/open-database.js";
import { sqlDiagnosticEntries } from "./diagnostics.js";
import { emitSql } from "./emit.js";
import { analyzed, type SqlConfig } from "./model.js";
import { resolveSql } from "./resolve.js";
import { sqlOtherWords, sqlSchema } from "./schema.js";
import { openSql } from "./session.js";
import { sqlWriteHints } from "./write-hints.js";
import { withoutLayout } from "./statement/layout.js";
import { type SqlSettings, sqlSettings } from "./settings.js";

/**
 * The binding kind `type: sql`: one statement on a PostgreSQL database, checked against its schema.
 */
export const sqlBinding = createSqlBinding(async (...files) => {
  // Loaded on demand, because most runs start no engine.
  const { openEmbedded } = await import("./database/pglite.js");
  return openEmbedded(...files);
});

/**
 * Makes the SQL binding kind.
 *
 * @param open starts PostgreSQL with a schema; the engine is closed at the end of a run
 */
export function createSqlBinding(open: OpenEmbedded): BindingKind<SqlConfig, SqlSettings> {
  return defineBinding<SqlConfig, SqlSettings>({
    type: "sql",
    title: "SQL database",
    schema: sqlSchema,
    otherWords: sqlOtherWords,
    roots: [callerRoot],
    settings: sqlSettings,
    modes: ["active", "shadow"],
    needsHandler: false,
    diagnostics: sqlDiagnosticEntries,
    runtime: {
      module: runtimeEntry("sql"),
      values: ["query", "sql"],
      types: ["Generated", "ManyRows", "Pg", "Refusal", "SqlFault", "SqlRecord"],
    },
    packages: () => [["kysely"], ["pg", "@electric-sql/pglite"]],
    template: loadTemplate("sql"),
    lineComments: { query: commentsIn },
    withoutLayout: { query: withoutLayout },
    resolve: resolveSql,
    engine: {
      open: (input) => openSql(input, open),
      infersParameters: true,
      hasPlainForm: true,
      references: referencesOf,
      async pull(input) {
        const { pullSchemas } = await import("./pull/pull-schemas.js");
        return pullSchemas(input);
      },
      async tables(input) {
        const { readTables } = await import("./tables/read-tables.js");
        return readTables(input, open);
      },
    },
    check: checkSql,
    shared: { addresses: ({ connection }) => [{ ...connection, of: "a PostgreSQL database" }] },
    capabilities: sqlCapabilities,
    capabilityForms: [sqlCapabilityForm],
    dataSchema: sqlDataSchema,
    everyData: everySqlData,
    answers: sqlAnswers,
    writeHints: sqlWriteHints,
    checksRisk: true,
    schemas: () => ({}),
    emit: emitSql,
  });
}

/** Reads line comments. The parser is loaded only if the text may contain a comment. */
async function commentsIn(text: string): Promise<readonly TextRange[]> {
  if (!text.includes("--")) return [];
  const { loadParser, readLineComments } = await import("./statement/lexer.js");
  await loadParser();
  return readLineComments(text);
}

function referencesOf(config: SqlConfig): CheckedReferences {
  const { references, notTranslated } = analyzed(config);
  return { ...references, ...(notTranslated !== undefined && { notTranslated }) };
}
