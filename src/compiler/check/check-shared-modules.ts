import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { Unit } from "../unit.js";

/** A skill's folder holds its own modules alone: those that several skills share stand in folders of other names. */
export function checkSharedModules(units: readonly Unit[], report: Report): void {
  const shared = new Map(
    units.flatMap((unit) => unit.shared.map(({ path }) => [path.split("/")[0] ?? "", path])),
  );
  for (const { plan } of units) {
    const path = shared.get(plan?.skill.name ?? "");
    if (plan === undefined || path === undefined || plan.skill.tools.length === 0) continue;
    const { name, span } = plan.skill;
    report.within({ skill: name }).add({
      code: "name/reserved",
      span,
      message: `${quote(name)} is the folder of ${quote(path)}`,
      help: `rename it, for example to ${quote(`${name}-skill`)}`,
    });
  }
}
