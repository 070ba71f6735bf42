import { collectDiagnostics, type Report } from "../core/report.js";
import type { SchemaModel } from "../core/skill-model.js";
import { checkDefaults } from "./check-defaults.js";
import { checkPossible } from "./check-possible.js";

/** Reports defaults that contradict the types that were inferred for parameters. */
export function checkInferred(before: SchemaModel, after: SchemaModel, report: Report): void {
  const known = new Set(diagnosticsOf(before).map((each) => JSON.stringify(each)));
  const found = diagnosticsOf(after).filter((each) => !known.has(JSON.stringify(each)));
  for (const each of found) report.add(each);
}

function diagnosticsOf(model: SchemaModel) {
  const { diagnostics, report } = collectDiagnostics();
  checkDefaults(model, report, true);
  checkPossible(model, report);
  return diagnostics;
}
