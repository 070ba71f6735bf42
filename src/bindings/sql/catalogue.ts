import type { Catalogue } from "../../core/catalogue.js";
import { effectCatalogue } from "./catalogue/catalogue-effect.js";
import { parameterCatalogue } from "./catalogue/catalogue-parameters.js";
import { resultCatalogue } from "./catalogue/catalogue-result.js";
import { schemaCatalogue } from "./catalogue/catalogue-schema.js";
import { statementCatalogue } from "./catalogue/catalogue-statement.js";

/** Every diagnostic code of SQL bindings. */
export const sqlCatalogue: Catalogue = {
  ...schemaCatalogue,
  ...statementCatalogue,
  ...parameterCatalogue,
  ...resultCatalogue,
  ...effectCatalogue,
};
