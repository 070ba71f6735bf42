import type { Report } from "../../../core/report.js";
import type { SchemaModel, ToolModel } from "../../../core/skill-model.js";
import { lookUp, type ValueFacts } from "../../../schema/look-up.js";
import type { HttpConfig, PathModel } from "../model.js";
import { isSuccessCode } from "../resolve/statuses.js";
import { followPath } from "./follow-path.js";

/** A place in the body of a success that a schema describes. */
export interface BodyPlace {
  readonly schema: SchemaModel;
  readonly at: readonly (string | number)[];
  readonly facts: ValueFacts;
}

/**
 * Follows a path of the binding through the schema of a success's body, and reports a path that
 * leads nowhere. Without `response_schema` and `path`, `returns` describes the body. `returns` may
 * leave out fields of the body, so a field is missing only if `returns` forbids it.
 */
export function placeInBody(
  path: PathModel | undefined,
  tool: ToolModel,
  config: HttpConfig,
  report: Report,
): BodyPlace | undefined {
  const { dataPath, form, response, statuses } = config;
  const isOther = statuses.some((each) => isSuccessCode(each.code) && each.schema !== undefined);
  const schema = response ?? (dataPath === undefined && !isOther ? tool.returns : undefined);
  if (path === undefined || schema === undefined || (form ?? { as: "json" }).as !== "json")
    return undefined;
  const found = followPath(schema, path);
  if (found.kind === "missing" && (response !== undefined || isForbidden(schema, path)))
    report.add(found.diagnostic);
  if (found.kind !== "place") return undefined;
  return { schema, at: found.at, facts: lookUp(schema, found.at, "stated") };
}

function isForbidden(schema: SchemaModel, { steps }: PathModel): boolean {
  const at = steps.map((step) => (typeof step.at === "object" ? 0 : step.at));
  return lookUp(schema, at, "stated").presence === "never";
}
