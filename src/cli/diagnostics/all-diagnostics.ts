import { createRegistry, type KindRegistry } from "../../bindings/registry.js";
import { diagnosticsOf } from "../../compiler/diagnostics.js";
import type { Catalogue } from "../../core/catalogue.js";
import { cliDiagnostics } from "../cli-diagnostics.js";

/** Every code there is: the compiler's, its kinds', and those that only the command line finds. */
export function fullDiagnostics(kinds: KindRegistry = createRegistry()): Catalogue {
  return { ...diagnosticsOf(kinds), ...cliDiagnostics };
}
