/** Leaves out the operations whose tools the compiler rejects. */
import { quote } from "../../../core/names.js";
import type { SkillFiles } from "../../skills/print-files.js";
import type { Operation } from "../model.js";
import { checkSkills, type PrintedApi } from "./check-skills.js";

/** After so many checks, a skill with a problem is left out as a whole. */
const maxChecks = 5;

/**
 * Composes skills that the compiler accepts. A tool may be wrong only because of another one, and
 * its schema only beside others, so the rest is checked again.
 *
 * @param compose builds and prints the skills of the operations
 */
export async function soundSkills<Printed extends PrintedApi>(
  chosen: readonly Operation[],
  compose: (operations: readonly Operation[]) => Promise<Printed>,
): Promise<Printed> {
  let operations = chosen;
  let before: SkillFiles = new Map();
  for (let check = 1; ; check += 1) {
    const printed = await compose(operations);
    if (check > maxChecks) return printed;
    const obstacles = await obstaclesIn(printed, before, check === maxChecks);
    if (obstacles.size === 0) return printed;
    before = printed.files;
    operations = operations.map((operation) => {
      const obstacle = obstacles.get(operation);
      return obstacle === undefined ? operation : { ...operation, obstacle };
    });
  }
}

type Obstacle = NonNullable<Operation["obstacle"]>;

async function obstaclesIn(
  printed: PrintedApi,
  before: SkillFiles,
  isLast: boolean,
): Promise<ReadonlyMap<Operation, Obstacle>> {
  const found = new Map<Operation, Obstacle>();
  for (const { faults, skill } of await checkSkills(printed, before)) {
    const [first] = faults.values();
    for (const { operation } of skill.tools) {
      const fault = faults.get(operation) ?? (isLast ? first : undefined);
      if (fault !== undefined)
        found.set(operation, {
          code: "import/operation-left-out",
          at: operation.at,
          message: `the compiler rejects the tool: ${fault.message} (${quote(fault.code)})`,
        });
    }
  }
  return found;
}
