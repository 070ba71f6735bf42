import type { Catalogue } from "../../core/catalogue.js";
import { effectCatalogue } from "./catalogue-effect.js";
import { parameterCatalogue } from "./catalogue-parameters.js";
import { resultCatalogue } from "./catalogue-result.js";
import { schemaCatalogue } from "./catalogue-schema.js";
import { statementCatalogue } from "./catalogue-statement.js";

/** Every diagnostic code of SQL bindings. */
export const sqlCatalogue: Catalogue = {
  ...schemaCatalogue,
  ...statementCatalogue,
  ...parameterCatalogue,
  ...resultCatalogue,
  ...effectCatalogue,
};
