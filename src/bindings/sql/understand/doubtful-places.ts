import type { StatementModel } from "../model.js";
import { nullComparisons } from "../conditions/null-comparisons.js";
import {
  comparedPlaceholders,
  type NumberedPlace,
  limitingPlaceholders,
  sortedPlaceholders,
} from "../parameters/placeholder-places.js";
import type { Located } from "./parameter-uses.js";

/** What PostgreSQL takes, and hardly means what its author did; and where an array would be compared as a whole. */
export function findDoubtful({
  spanOf,
  statement: { placeholders, tree },
}: Located): Pick<StatementModel, "nullComparisons" | "sortedBy" | "limitedBy" | "comparedWith"> {
  const placed = ({ location, number }: NumberedPlace) => ({
    placeholder: placeholders[number - 1]?.name ?? "",
    span: spanOf(location),
  });
  const limits = limitingPlaceholders(tree).map(placed);
  return {
    nullComparisons: nullComparisons(tree).map(({ location, ...rest }) => ({
      ...rest,
      span: spanOf(location),
    })),
    sortedBy: sortedPlaceholders(tree).map(placed),
    ...(limits.length > 0 && { limitedBy: limits }),
    comparedWith: comparedPlaceholders(tree).map((each) => ({
      ...placed(each),
      each: each.negated ? ("<> ALL" as const) : ("= ANY" as const),
    })),
  };
}
