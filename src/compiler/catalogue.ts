import type { KindRegistry } from "../bindings/registry.js";
import type { Catalogue } from "../core/catalogue.js";
import { schemaCatalogue } from "../schema/catalogue.js";
import { acceptCatalogue } from "./accept/catalogue.js";
import { checkCatalogue } from "./check/catalogue.js";
import { configCatalogue } from "./config/catalogue.js";
import { parseCatalogue } from "./parse/diagnostics.js";
import { readCatalogue } from "./read/catalogue.js";
import { resolveCatalogue } from "./resolve/diagnostics.js";
import { verifyCatalogue } from "./verify/catalogue.js";

/** Every code that a compilation with these kinds may report. */
export function catalogueOf(kinds: KindRegistry): Catalogue {
  const stages = {
    ...readCatalogue,
    ...parseCatalogue,
    ...configCatalogue,
    ...resolveCatalogue,
    ...schemaCatalogue,
    ...checkCatalogue,
    ...acceptCatalogue,
    ...verifyCatalogue,
  };
  return kinds.all.reduce<Catalogue>((all, kind) => ({ ...all, ...kind.catalogue }), stages);
}
