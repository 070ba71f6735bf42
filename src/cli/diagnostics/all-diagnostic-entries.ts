import { createRegistry, type KindRegistry } from "../../bindings/registry.js";
import { diagnosticEntriesOf } from "../../compiler/diagnostics.js";
import type { DiagnosticEntries } from "../../core/diagnostic-entry.js";
import { importDiagnosticEntries } from "../../import/diagnostics.js";
import { policyTestDiagnosticEntries } from "../../policy/test-diagnostics.js";
import { cliDiagnosticEntries } from "../cli-diagnostics.js";

const known = new WeakMap<KindRegistry, DiagnosticEntries>();

/**
 * Returns the entries of all codes: those of the compiler, of binding kinds, and of the command
 * line.
 */
export function allDiagnosticEntries(kinds: KindRegistry = createRegistry()): DiagnosticEntries {
  const entries = known.get(kinds) ?? {
    ...diagnosticEntriesOf(kinds),
    ...policyTestDiagnosticEntries,
    ...importDiagnosticEntries,
    ...cliDiagnosticEntries,
  };
  known.set(kinds, entries);
  return entries;
}
