import type { Effect } from "../tool.js";
import type { CatalogTool } from "./catalog.js";

type Risk = CatalogTool["risk_level"];

/** Filters of offered tools. A tool must pass all of them. */
export interface OfferFilters {
  /** Tools with at least one of these tags. */
  readonly tags?: readonly string[];
  /** Tools with at most this risk level. */
  readonly risk?: Risk;
  /** Tools with this effect. */
  readonly effect?: Effect;
  /** Tools whose name or description contains every word of this text, in any case. */
  readonly text?: string;
  /** Model to which the tools are offered. It leaves out tools meant for other models. */
  readonly model?: string;
}

export type OfferFilter = (tool: CatalogTool) => boolean;

/** Lowest first. */
const risks: readonly Risk[] = ["low", "medium", "high", "critical"];

/**
 * Makes the filter.
 *
 * @param asker name of the called function, for messages
 * @throws TypeError if a filter is not valid
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

/** Checks the filters of JavaScript callers, because an invalid one would offer more tools. */
function problemOf({
  effect,
  model,
  risk,
  tags,
  text,
}: { readonly [Name in keyof OfferFilters]: unknown }): string | undefined {
  if (risk !== undefined && !risks.some((each) => each === risk))
    return "`risk` must be one of `low`, `medium`, `high`, `critical`";
  if (effect !== undefined && effect !== "read" && effect !== "write")
    return "`effect` must be `read` or `write`";
  if (tags !== undefined && !Array.isArray(tags)) return "`tags` must be a list of texts";
  if (text !== undefined && typeof text !== "string") return "`text` must be a text";
  if (model !== undefined && typeof model !== "string") return "`model` must be a model's name";
  return undefined;
}

/**
 * Returns whether a tool is meant for a model. A tool without patterns is meant for every model;
 * `*` stands for any text.
 */
function isMeantFor(patterns: readonly string[], model: string): boolean {
  return patterns.length === 0 || patterns.some((each) => matches(each, model));
}

/** Matches a pattern, in time linear in the name for each `*`. */
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
