/**
 * Every diagnostic code of SQL bindings, with an example that a test runs; what they say stands in
 * `diagnostics/`.
 */
import type { DiagnosticEntries } from "../../core/diagnostic-entry.js";
import { parameterDiagnostics } from "./diagnostics/parameters.js";
import { databaseSchemaDiagnostics } from "./diagnostics/schema.js";
import {
  effectDiagnostics,
  resultDiagnostics,
  statementDiagnostics,
} from "./diagnostics/statement.js";

/** Every diagnostic code of SQL bindings. */
export const sqlDiagnostics: DiagnosticEntries = {
  ...databaseSchemaDiagnostics,
  ...statementDiagnostics,
  ...parameterDiagnostics,
  ...resultDiagnostics,
  ...effectDiagnostics,
};
