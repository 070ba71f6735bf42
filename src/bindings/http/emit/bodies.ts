import { canonicalJson } from "../../../core/canonical-json.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import type { HttpConfig, StatusModel } from "../model.js";

/**
 * Schemas of bodies by role: one for successes, and one for each different schema of a status. The
 * bodies of other failures are not validated, not even by `error_schema`.
 */
export function httpSchemas({
  response,
  statuses,
}: HttpConfig): Readonly<Record<string, SchemaModel>> {
  const schemas: Record<string, SchemaModel> = response === undefined ? {} : { response };
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
