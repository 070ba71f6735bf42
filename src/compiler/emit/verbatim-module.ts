import { code, type Code, join } from "../../core/code.js";
import type { DraftBody } from "../../core/output.js";
import { frameStatements } from "./frame-module.js";

/**
 * A module of one fixed form, which no formatter changes: what nobody reads from top to bottom.
 *
 * @param declared every name that the body declares at its top level
 * @param unchecked why TypeScript is not to look into it, as a line of a comment; what it exports
 *   needs annotations then, one to a line
 */
export function verbatimModule(
  body: readonly Code[],
  declared: ReadonlySet<string>,
  unchecked?: Code,
): DraftBody {
  const statements = frameStatements(body, declared);
  const text = join(statements.map((each) => code`// prettier-ignore\n${each}\n`));
  if (unchecked === undefined) return { kind: "verbatim", code: text, isChecked: true };
  return { kind: "verbatim", code: code`// @ts-nocheck: ${unchecked}\n${text}` };
}
