import { createRegistry, type KindRegistry } from "../../bindings/registry.js";
import { catalogueOf } from "../../compiler/catalogue.js";
import type { Catalogue } from "../../core/catalogue.js";
import { cliCatalogue } from "../catalogue.js";

/** Every code there is: the compiler's, its kinds', and those that only the command line finds. */
export function fullCatalogue(kinds: KindRegistry = createRegistry()): Catalogue {
  return { ...catalogueOf(kinds), ...cliCatalogue };
}
