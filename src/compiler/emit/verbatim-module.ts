import { code, type Code, join } from "../../core/code.js";
import type { DraftBody } from "../../core/output.js";
import { frameStatements } from "./frame-module.js";

/**
 * A module of one fixed form, which no formatter changes: what nobody reads from top to bottom.
 *
 * @param isChecked whether it is to be type-checked; not what is data alone, whose values are read
 *   back: a large literal takes long to check
 * @param declared every name that the body declares at its top level
 */
export function verbatimModule(
  body: readonly Code[],
  declared: ReadonlySet<string>,
  isChecked: boolean,
): DraftBody {
  const statements = frameStatements(body, declared);
  const text = join(statements.map((each) => code`// prettier-ignore\n${each}\n`));
  return { kind: "verbatim", code: text, ...(isChecked && { isChecked }) };
}
