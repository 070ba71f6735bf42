import type {
  Column,
  PgType,
  Relation,
  Snapshot,
} from "../../../../src/bindings/sql/database/snapshot.js";

const OIDS: Readonly<Record<string, number>> = {
  _text: 1009,
  bool: 16,
  int4: 23,
  int8: 20,
  jsonb: 3802,
  numeric: 1700,
  order_status: 90_001,
  text: 25,
  timestamptz: 1184,
};

/** Catalog of a small shop. */
export const shop: Snapshot = {
  searchPath: ["public", "pg_catalog"],
  types: [
    ...[
      "bool:16",
      "int8:20",
      "int4:23",
      "text:25",
      "timestamptz:1184",
      "numeric:1700",
      "jsonb:3802",
    ].map(baseType),
    { oid: 1009, schema: "pg_catalog", name: "_text", kind: "array", element: 25, builtIn: true },
    {
      oid: 90_001,
      schema: "public",
      name: "order_status",
      kind: "enum",
      labels: ["open", "closed"],
      builtIn: false,
    },
    { oid: 90_002, schema: "public", name: "email", kind: "domain", base: 25, builtIn: false },
    { oid: 90_003, schema: "public", name: "_jsonb", kind: "array", element: 3802, builtIn: true },
  ],
  relations: [
    relation(1, "public", "customers", [
      "id int4 !d",
      "email text !",
      "name text !",
      "country text",
      "active bool !d",
    ]),
    relation(2, "public", "categories", ["id int4 !d", "name text d", "parent_id int4"]),
    relation(3, "public", "products", [
      "id int4 !g",
      "category_id int4",
      "name text !",
      "price numeric !",
    ]),
    relation(4, "public", "orders", [
      "id int4 !d",
      "customer_id int4",
      "total numeric !",
      "status order_status !d",
      "note text",
      "paid bool !d",
      "tags _text",
      "data jsonb",
      "created_at timestamptz !d",
    ]),
    relation(5, "public", "items", [
      "id int4 !d",
      "order_id int4 !",
      "product_id int4 !",
      "qty int4 !d",
      "note text",
    ]),
    relation(6, "audit", "events", ["id int8 !d", "kind text !", "customer_id int4"]),
    {
      ...relation(7, "public", "Odd Name", []),
      columns: [column("A b", "int4", ""), column("dot.ted", "int4", "")],
    },
    relation(8, "public", "select", ["from text"]),
    { ...relation(9, "public", "counters", ["last_value int8 !"]), kind: "sequence" },
    relation(10, "pg_catalog", "pg_class", ["relname text !"]),
  ],
  functions: [],
  operators: [],
  casts: [],
};

function baseType(text: string): PgType {
  const [name = "", oid] = text.split(":");
  return { oid: Number(oid), schema: "pg_catalog", name, kind: "base", builtIn: true };
}

/**
 * Makes a table from columns such as `name type flags`. Flags: `!` not null, `d` has a default, `g`
 * generated.
 */
function relation(oid: number, schema: string, name: string, columns: readonly string[]): Relation {
  const read = columns.map((each) => {
    const [named = "", type = "", flags = ""] = each.split(" ");
    return column(named, type, flags);
  });
  return { oid, schema, name, kind: "table", columns: read };
}

export function column(name: string, type: string, flags: string): Column {
  return {
    name,
    type: OIDS[type] ?? 0,
    modifier: -1,
    notNull: flags.includes("!"),
    hasDefault: flags.includes("d"),
    generated: flags.includes("g"),
  };
}
