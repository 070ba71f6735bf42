/**
 * Paths with a fragment, such as `/#X-Amz-Target=Backup.ListJobs` of AWS. Requests don't send the
 * fragment. It distinguishes operations with the same path by values of their parameters. If the
 * fragment only repeats parameters, the operation becomes the path without it, plus the parameter
 * values.
 */
import { quote } from "../../core/names.js";
import type { Operation, Parameter } from "./model.js";
import { withBraces } from "./path-notation.js";
import { itemsIn, under } from "./read/parts.js";

interface Member {
  readonly name: string;
  /** Value of the parameter; undefined if the fragment only names it. Any value then matches. */
  readonly value: string | undefined;
}

/** Path without the fragment, as requests send it. Its parameters are in braces. */
export function sentPath({ path }: Pick<Operation, "path">): string {
  return withBraces(path.split("#", 1)[0] ?? path);
}

/** Reason why the path of an operation with these parameters can't be sent; undefined if it can. */
export function fragmentProblem(
  path: string,
  parameters: readonly Parameter[],
): string | undefined {
  const odd = membersOf(path).find(
    ({ name, value }) =>
      !parameters.some(
        (each) =>
          each.name === name &&
          each.in !== "path" &&
          each.isRequired &&
          (value === undefined || onlyValueOf(each) === value),
      ),
  );
  if (odd === undefined) return undefined;
  const wanted =
    odd.value === undefined
      ? `no required parameter ${quote(odd.name)}`
      : `no required parameter ${quote(odd.name)} whose only value is ${quote(odd.value)}`;
  return `requests do not send the fragment of the path ${quote(path)}, and the operation has ${wanted}`;
}

/** Value of a parameter that the fragment determines, so that callers can't pass it. */
export function valueInFragment(
  { path }: Pick<Operation, "path">,
  parameter: Parameter,
): string | undefined {
  if (parameter.in === "path") return undefined;
  return membersOf(path).find(({ name }) => name === parameter.name)?.value;
}

function membersOf(path: string): readonly Member[] {
  const at = path.indexOf("#");
  if (at < 0) return [];
  return path
    .slice(at + 1)
    .split("&")
    .map((member) => {
      const [name = "", ...value] = member.split("=");
      return { name, value: value.length === 0 ? undefined : value.join("=") };
    });
}

function onlyValueOf({ schema }: Parameter): unknown {
  const listed = itemsIn(under(schema, "enum"));
  return listed.length === 1 ? listed[0]?.value : under(schema, "const")?.value;
}
