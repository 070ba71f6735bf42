/** Every diagnostic code of SQL bindings, with an example that a test runs; what they say stands in `diagnostics/`. */
import type { Catalogue } from "../../core/catalogue.js";
import { parameterDiagnostics } from "./diagnostics/parameters.js";
import { schemaDiagnostics } from "./diagnostics/schema.js";
import {
  effectDiagnostics,
  resultDiagnostics,
  statementDiagnostics,
} from "./diagnostics/statement.js";

/** Every diagnostic code of SQL bindings. */
export const sqlDiagnostics: Catalogue = {
  ...schemaDiagnostics,
  ...statementDiagnostics,
  ...parameterDiagnostics,
  ...resultDiagnostics,
  ...effectDiagnostics,
};
