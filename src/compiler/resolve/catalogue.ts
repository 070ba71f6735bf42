import type { Catalogue } from "../../core/catalogue.js";
import { bindingCatalogue } from "./binding-catalogue.js";
import { skillCatalogue } from "./skill-catalogue.js";
import { toolCatalogue } from "./tool-catalogue.js";

/** Every code that giving a skill's documents their meaning can report. */
export const resolveCatalogue: Catalogue = {
  ...skillCatalogue,
  ...toolCatalogue,
  ...bindingCatalogue,
};
