import { canonicalJson } from "../../../core/canonical-json.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import type { HttpConfig, StatusModel } from "../model.js";
import { isSuccessCode } from "../resolve/statuses.js";

/** A status with the schema and path that generated code uses for its body. */
export interface DescribedStatus extends StatusModel {
  /** Set if `error_schema` describes the body, because the status has no schema of its own. */
  readonly isUsualError?: true;
}

/**
 * Describes each failure with a name. Without a schema of its own, a failure gets `error_schema`
 * and `error_path`. The schema `true` keeps the body unchecked.
 */
export function describedStatuses({
  errorPath,
  errorResponse,
  statuses,
}: Pick<HttpConfig, "errorPath" | "errorResponse" | "statuses">): readonly DescribedStatus[] {
  return statuses.map((status) => {
    const { code, name, path = errorPath, schema, ...others } = status;
    if (isSuccessCode(code)) return status;
    if (schema?.schema === true) return { ...others, code, name, ...(path && { path }) };
    const hasBody = !/^(?:1|304$)/.test(code);
    if (schema !== undefined || errorResponse === undefined || !hasBody || name === "error")
      return status;
    const described = { ...others, code, name, schema: errorResponse, ...(path && { path }) };
    return { ...described, isUsualError: true };
  });
}

/**
 * Schemas of bodies by role: one for successes, and one for each different schema of a status. The
 * bodies of failures without a name are not validated.
 */
export function httpSchemas(config: HttpConfig): Readonly<Record<string, SchemaModel>> {
  const { response } = config;
  const schemas: Record<string, SchemaModel> = response === undefined ? {} : { response };
  const statuses = describedStatuses(config);
  for (const status of ownSchemas(statuses)) {
    if (roleOf(status, statuses) === ownRole(status)) schemas[ownRole(status)] = status.schema;
  }
  return schemas;
}

type Described = StatusModel & { readonly schema: SchemaModel };

function ownSchemas(statuses: readonly StatusModel[]): readonly Described[] {
  return statuses.filter(
    (status): status is Described => status.schema !== undefined && status.name !== "success",
  );
}

/** Role of a status' schema. Statuses with equal schemas share the role of the first. */
export function roleOf(status: Described, statuses: readonly StatusModel[]): string {
  const text = canonicalJson(status.schema.schema);
  const first = ownSchemas(statuses).find(({ schema }) => canonicalJson(schema.schema) === text);
  return ownRole(first ?? status);
}

/** `body404`, `body4XX`, `bodyDefault` */
function ownRole({ code }: StatusModel): string {
  return `body${code.charAt(0).toUpperCase()}${code.slice(1)}`;
}
