import { code, type Code, join } from "../../core/code.js";
import type { CodeBody } from "../../core/output.js";
import { frameStatements } from "./frame-module.js";

/**
 * Makes a module with a fixed layout that no formatter changes, for code that nobody reads from top
 * to bottom.
 *
 * @param declared names that the body declares at its top level
 * @param unchecked comment line with the reason to skip type checks; the exports then need
 * annotations, one per line
 */
export function verbatimModule(
  body: readonly Code[],
  declared: ReadonlySet<string>,
  unchecked?: Code,
): CodeBody {
  const statements = frameStatements(body, declared);
  const text = join(statements.map((each) => code`// prettier-ignore\n${each}\n`));
  if (unchecked === undefined) return { kind: "verbatim", code: text, isChecked: true };
  return { kind: "verbatim", code: code`// @ts-nocheck: ${unchecked}\n${text}` };
}

/**
 * Reason to skip type checks of data, for the comment in the module. The checks would slow down
 * every module that imports the data. The `verify` stage reads the data back instead.
 */
export const uncheckedData = code`verified data; its exports are typed.`;
