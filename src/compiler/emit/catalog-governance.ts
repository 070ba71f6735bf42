import type { GovernanceModel, LimitsModel } from "../../core/governance-model.js";
import type { JsonObject, JsonValue } from "../../core/json.js";

/**
 * A tool's governance in the shape of the runtime's `CatalogGovernance`. Unset values are absent.
 *
 * @param isHandler true if the destinations of calls are unknown
 */
export function catalogGovernance(governance: GovernanceModel, isHandler: boolean): JsonObject {
  const { approval, capabilities, concurrency, idempotency, limits, models, scopes } = governance;
  return present({
    scopes: scopes.length === 0 ? undefined : scopes.map(({ value }) => value),
    capabilities: capabilities?.map(({ value }) => value),
    reach: isHandler ? "declared" : undefined,
    approval:
      approval && present({ when: approval.when?.value, ttl_ms: approval.ttlMs, by: approval.by }),
    limits: isEmpty(limits) ? undefined : limitsOf(limits),
    idempotency: idempotency?.value,
    concurrency: concurrency?.value,
    state: governance.state?.value,
    display_name: governance.displayName,
    group: governance.group,
    models: models.length === 0 ? undefined : models,
  });
}

function limitsOf(limits: LimitsModel): JsonObject {
  return present({
    calls_per_minute: limits.callsPerMinute?.value,
    concurrent: limits.concurrent?.value,
    bytes_in: limits.bytesIn?.value,
    bytes_out: limits.bytesOut?.value,
    cost: limits.cost?.value,
  });
}

function isEmpty(limits: LimitsModel): boolean {
  return Object.keys(limits).length === 0;
}

function present(values: { readonly [key: string]: JsonValue | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
