import type { Catalogue } from "../../core/catalogue.js";
import { effectCatalogue, resultCatalogue, statementCatalogue } from "./diagnostics/statement.js";
import { parameterCatalogue } from "./diagnostics/parameters.js";
import { schemaCatalogue } from "./diagnostics/schema.js";

/** Every diagnostic code of SQL bindings. */
export const sqlCatalogue: Catalogue = {
  ...schemaCatalogue,
  ...statementCatalogue,
  ...parameterCatalogue,
  ...resultCatalogue,
  ...effectCatalogue,
};
