/**
 * Every diagnostic code of SQL bindings, with an example that a test runs. The texts are in
 * `diagnostics/`.
 */
import type { DiagnosticEntries } from "../../core/diagnostic-entry.js";
import { parameterDiagnosticEntries } from "./diagnostics/parameters.js";
import { databaseSchemaDiagnosticEntries } from "./diagnostics/schema.js";
import {
  effectDiagnosticEntries,
  resultDiagnosticEntries,
  statementDiagnosticEntries,
} from "./diagnostics/statement.js";

/** All diagnostic entries of SQL bindings. */
export const sqlDiagnosticEntries: DiagnosticEntries = {
  ...databaseSchemaDiagnosticEntries,
  ...statementDiagnosticEntries,
  ...parameterDiagnosticEntries,
  ...resultDiagnosticEntries,
  ...effectDiagnosticEntries,
};
