import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SchemaModel, ToolModel } from "../../core/skill-model.js";
import { stepsOf } from "../../schema/pointer.js";

/** A property's name with a blank at an end: nobody sees it, and nobody would write it so. */
export function checkPropertyNames({ parameters, returns }: ToolModel, report: Report): void {
  for (const model of [parameters, ...(returns ? [returns] : [])]) checkNames(model, report);
}

function checkNames({ places }: SchemaModel, report: Report): void {
  for (const [pointer, span] of Object.entries(places)) {
    const steps = stepsOf(pointer) ?? [];
    const name = steps.at(-1);
    if (steps.at(-2) !== "properties" || name === undefined || name.trim() === name) continue;
    report.add({
      code: "tool/blank-in-name",
      span,
      message: `the name of the property ${quote(name)} ${name.trimEnd() === name ? "begins" : "ends"} with a blank`,
      help: `name it ${quote(name.trim())}`,
    });
  }
}
