import { defaultRuntime, type Runtime } from "./runtime.js";

/** How tools are offered. */
export interface OfferOptions {
  /** Instead of the configured one. */
  readonly runtime?: Runtime;
  /** False leaves `$schema` and `$id` out of the schemas, for a model's API that refuses them. True by default. */
  readonly schemaIds?: boolean;
}

/** @throws TypeError for anything but a catalogue: `tools` and `skills` lie next to it in generated/index.ts */
export function requireCatalog(catalog: unknown): void {
  const isCatalog = typeof catalog === "object" && catalog !== null && "skills" in catalog;
  if (isCatalog && Array.isArray(catalog.skills)) return;
  throw new TypeError("`offerTools` takes the `catalog` of generated/index.ts first");
}

/** @throws TypeError for anything but a runtime or these options: a map of handlers, a list of names */
export function offerOptions(options: Runtime | OfferOptions): Required<OfferOptions> {
  if (isRuntime(options)) return { runtime: options, schemaIds: true };
  if (typeof options === "object" && !Array.isArray(options)) {
    const { runtime = defaultRuntime(), schemaIds = true, ...others } = { ...options };
    if (isRuntime(runtime) && Object.keys(others).length === 0) return { runtime, schemaIds };
  }
  throw new TypeError(
    "`offerTools` takes second a runtime, which `createRuntime` and `configure` give, or `{ runtime, schemaIds }`",
  );
}

function isRuntime(value: unknown): value is Runtime {
  return typeof value === "object" && value !== null && "surroundings" in value;
}
