import type { SqlCase } from "./case.js";
import { compileCases } from "./compile-cases.js";
import { judge, type Verdict } from "./judge.js";

/**
 * Judges each case, in the order of the list. Cases of one schema share a database.
 *
 * @param progress receives the number of finished cases
 */
export async function judgeCases(
  cases: readonly SqlCase[],
  progress: (done: number) => void = () => {},
): Promise<readonly Verdict[]> {
  const verdicts = new Map<SqlCase, Verdict>();
  for (const schema of new Set(cases.map((each) => each.schema))) {
    const group = cases.filter((each) => each.schema === schema);
    for (const compiled of await compileCases(group)) verdicts.set(compiled.case, judge(compiled));
    progress(verdicts.size);
  }
  return cases.flatMap((each) => verdicts.get(each) ?? []);
}
