import type { KindRegistry } from "../bindings/registry.js";
import type { DiagnosticEntries } from "../core/diagnostic-entry.js";
import { schemaDiagnostics } from "../schema/diagnostics.js";
import { acceptDiagnostics } from "./accept/diagnostics.js";
import { checkDiagnostics } from "./check/diagnostics.js";
import { configDiagnostics } from "./config/diagnostics.js";
import { parseDiagnostics } from "./parse/diagnostics.js";
import { readDiagnostics } from "./read/diagnostics.js";
import { resolveDiagnostics } from "./resolve/diagnostics.js";
import { verifyDiagnostics } from "./verify/diagnostics.js";

/** Every code that a compilation with these kinds may report. */
export function diagnosticsOf(kinds: KindRegistry): DiagnosticEntries {
  const stages = {
    ...readDiagnostics,
    ...parseDiagnostics,
    ...configDiagnostics,
    ...resolveDiagnostics,
    ...schemaDiagnostics,
    ...checkDiagnostics,
    ...acceptDiagnostics,
    ...verifyDiagnostics,
  };
  return kinds.all.reduce<DiagnosticEntries>(
    (all, kind) => ({ ...all, ...kind.diagnostics }),
    stages,
  );
}
