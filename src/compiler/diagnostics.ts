import type { KindRegistry } from "../bindings/registry.js";
import type { DiagnosticEntries } from "../core/diagnostic-entry.js";
import { policyDiagnosticEntries } from "../policy/diagnostics.js";
import { schemaDiagnosticEntries } from "../schema/diagnostics.js";
import { acceptDiagnosticEntries } from "./accept/diagnostics.js";
import { checkDiagnosticEntries } from "./check/diagnostics.js";
import { configDiagnosticEntries } from "./config/diagnostics.js";
import { parseDiagnosticEntries } from "./parse/diagnostics.js";
import { readDiagnosticEntries } from "./read/diagnostics.js";
import { resolveDiagnosticEntries } from "./resolve/diagnostics.js";
import { verifyDiagnosticEntries } from "./verify/diagnostics.js";

/** Cached, because a run needs the entries for each skill. */
const known = new WeakMap<KindRegistry, DiagnosticEntries>();

/** Entries of all codes that a compilation with these kinds may report. */
export function diagnosticEntriesOf(kinds: KindRegistry): DiagnosticEntries {
  const entries = known.get(kinds) ?? entriesOf(kinds);
  known.set(kinds, entries);
  return entries;
}

const stages = [
  readDiagnosticEntries,
  parseDiagnosticEntries,
  configDiagnosticEntries,
  resolveDiagnosticEntries,
  schemaDiagnosticEntries,
  checkDiagnosticEntries,
  policyDiagnosticEntries,
  acceptDiagnosticEntries,
  verifyDiagnosticEntries,
];

function entriesOf(kinds: KindRegistry): DiagnosticEntries {
  const all = [...stages, ...kinds.all.map(({ diagnostics }) => diagnostics)];
  return Object.fromEntries(all.flatMap((each) => Object.entries(each)));
}
