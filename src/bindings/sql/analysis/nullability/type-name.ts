import type { TypeName } from "@pgsql/types";
import type { Catalog } from "../../database/catalog.js";
import { namesIn } from "../node.js";

/** OID of a type as written: `int`, `text[]`, `shop.money`. Undefined when there is none, and for `%TYPE`. */
export function typeOfName(catalog: Catalog, name: TypeName | undefined): number | undefined {
  if (name === undefined || name.pct_type === true) return undefined;
  const oid = catalog.typeNamed(namesIn(name.names))?.oid;
  if (oid === undefined || (name.arrayBounds ?? []).length === 0) return oid;
  return catalog.arrayOf(oid)?.oid;
}
