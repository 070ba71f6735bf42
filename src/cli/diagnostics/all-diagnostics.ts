import { createRegistry, type KindRegistry } from "../../bindings/registry.js";
import { diagnosticsOf } from "../../compiler/diagnostics.js";
import type { DiagnosticEntries } from "../../core/diagnostic-entry.js";
import { cliDiagnostics } from "../cli-diagnostics.js";

/** Every code there is: the compiler's, its kinds', and those that only the command line finds. */
export function fullDiagnostics(kinds: KindRegistry = createRegistry()): DiagnosticEntries {
  return { ...diagnosticsOf(kinds), ...cliDiagnostics };
}
