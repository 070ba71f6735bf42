import type { Catalog } from "../../database/catalog.js";
import type { Resolution } from "../resolution.js";
import type { EffectReason } from "./effect-reason.js";
import { actingBehind, type Listed } from "./harmless.js";
import { reasonBehind } from "./named-reasons.js";

/**
 * Users' casts that PostgreSQL may put in by itself: when the statement, or a view behind it, has values of the type that makes the cast a user's. No
 * place in the tree says where.
 */
export function implicitCasts(
  catalog: Catalog,
  { types, views }: Resolution,
  listed: Listed,
): readonly EffectReason[] {
  const seen = new Set([...types, ...[...views.values()].flatMap((each) => [...each.types])]);
  const nameOf = (oid: number) => catalog.typeOf(oid)?.name ?? String(oid);
  return catalog.foreignImplicitCasts.flatMap((each): readonly EffectReason[] => {
    const own = [each.source, each.target].filter((oid) => catalog.typeOf(oid)?.builtIn !== true);
    const used = own.length === 0 || own.some((oid) => seen.has(oid));
    const name = `${nameOf(each.source)} as ${nameOf(each.target)}`;
    return used
      ? reasonBehind({ kind: "cast", name }, actingBehind(catalog, [each.function], listed), listed)
      : [];
  });
}
