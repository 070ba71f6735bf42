import type { Effect } from "../tool.js";
import type { CatalogTool } from "./catalog.js";

type Risk = CatalogTool["risk_level"];

/** Which tools are offered; all that is given must hold. */
export interface OfferFilters {
  /** Tools that have one of these. */
  readonly tags?: readonly string[];
  /** Tools of no higher risk. */
  readonly risk?: Risk;
  readonly effect?: Effect;
  /** Tools whose name or description has every word of this, in any case. */
  readonly text?: string;
  /** The model that they are offered to: tools that are meant for others are left out. */
  readonly model?: string;
}

export type OfferFilter = (tool: CatalogTool) => boolean;

/** Lowest first. */
const risks: readonly Risk[] = ["low", "medium", "high", "critical"];

/**
 * @param asker the function that was called, for messages
 * @throws TypeError for a filter that is none
 */
export function prepareOffer(
  asker: string,
  filters: { readonly [Name in keyof OfferFilters]: OfferFilters[Name] | undefined },
): OfferFilter {
  const { effect, model, risk, tags, text } = filters;
  const problem = problemOf(filters);
  if (problem !== undefined) throw new TypeError(`\`${asker}\`: ${problem}`);
  const highest = risk === undefined ? risks.length : risks.indexOf(risk);
  const words = (text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return ({ description, governance, name, ...tool }) => {
    const shown = `${name} ${description}`.toLowerCase();
    return (
      (tags === undefined || tags.some((each) => tool.tags.includes(each))) &&
      risks.indexOf(tool.risk_level) <= highest &&
      (effect === undefined || tool.side_effect === effect) &&
      words.every((each) => shown.includes(each)) &&
      (model === undefined || isMeantFor(governance?.models ?? [], model))
    );
  };
}

/** Callers in JavaScript may pass anything: a filter that is none would offer more. */
function problemOf({
  effect,
  model,
  risk,
  tags,
  text,
}: { readonly [Name in keyof OfferFilters]: unknown }): string | undefined {
  if (risk !== undefined && !risks.some((each) => each === risk))
    return "`risk` is one of `low`, `medium`, `high`, `critical`";
  if (effect !== undefined && effect !== "read" && effect !== "write")
    return "`effect` is `read` or `write`";
  if (tags !== undefined && !Array.isArray(tags)) return "`tags` is a list of texts";
  if (text !== undefined && typeof text !== "string") return "`text` is a text";
  if (model !== undefined && typeof model !== "string") return "`model` is a model's name";
  return undefined;
}

/** None named: for every model. `*` stands for any text. */
function isMeantFor(patterns: readonly string[], model: string): boolean {
  return patterns.length === 0 || patterns.some((each) => matches(each, model));
}

/** In steps that are linear in the name for each `*`. */
function matches(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const text of rest) {
    const found = name.indexOf(text, at);
    if (found < 0 || found + text.length > end) return false;
    at = found + text.length;
  }
  return at <= end;
}
