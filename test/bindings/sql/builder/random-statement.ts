/**
 * Random statements over the tables of `shop.ts` that PostgreSQL accepts. Types match, and nullable
 * columns appear beside others. The statements contain everything that is hard for Kysely's types:
 * subqueries, chains of common table expressions, lateral queries, set operations, rows, arrays,
 * windows.
 */

type Type = "int" | "text" | "bool" | "numeric" | "time" | "status" | "tags" | "json";

interface Column {
  readonly sql: string;
  readonly type: Type;
}

interface Table {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: Type])[];
}

const TABLES: readonly Table[] = [
  {
    name: "customers",
    columns: [
      ["id", "int"],
      ["email", "text"],
      ["name", "text"],
      ["country", "text"],
      ["active", "bool"],
    ],
  },
  {
    name: "categories",
    columns: [
      ["id", "int"],
      ["name", "text"],
      ["parent_id", "int"],
    ],
  },
  {
    name: "products",
    columns: [
      ["id", "int"],
      ["category_id", "int"],
      ["name", "text"],
      ["price", "numeric"],
    ],
  },
  {
    name: "orders",
    columns: [
      ["id", "int"],
      ["customer_id", "int"],
      ["total", "numeric"],
      ["status", "status"],
      ["note", "text"],
      ["paid", "bool"],
      ["tags", "tags"],
      ["data", "json"],
      ["created_at", "time"],
    ],
  },
  {
    name: "items",
    columns: [
      ["id", "int"],
      ["order_id", "int"],
      ["product_id", "int"],
      ["qty", "int"],
      ["note", "text"],
    ],
  },
  {
    name: "audit.events",
    columns: [
      ["id", "int"],
      ["kind", "text"],
      ["customer_id", "int"],
    ],
  },
];

const CONSTANTS: Readonly<Record<Type, readonly string[]>> = {
  int: ["1", "-2", "NULL", ":i", ":j::int"],
  text: ["'a'", "''", "NULL", ":s", ":t::text"],
  bool: ["true", "false", "NULL::bool", ":b"],
  numeric: ["1.50", "2", "NULL", ":n::numeric"],
  time: ["now()", "timestamptz '2024-01-01'", ":at", "NULL"],
  status: ["'open'", "'closed'", ":status", "NULL"],
  tags: ["ARRAY['a']", "'{}'::text[]", ":tags::text[]", "NULL::text[]"],
  json: ["'{}'::jsonb", "NULL::jsonb", "'[1]'::jsonb"],
};

const CASTS: Readonly<Record<Type, string>> = {
  int: "int",
  text: "text",
  bool: "bool",
  numeric: "numeric",
  time: "timestamptz",
  status: "order_status",
  tags: "text[]",
  json: "jsonb",
};

const TYPES: readonly Type[] = ["int", "text", "bool", "numeric", "time", "status", "tags", "json"];
const ORDERED: readonly Type[] = ["int", "text", "numeric", "time", "status"];

/** A query and the columns of its result. */
interface Query {
  readonly sql: string;
  readonly columns: readonly (readonly [name: string, type: Type])[];
}

/** Returns one statement. The same seed gives the same statement. */
export function randomStatement(seed: number): string {
  return new Statements(seed).statement();
}

class Statements {
  #state: number;
  #aliases = 0;
  /** Common table expressions in scope. */
  #ctes: readonly Table[] = [];

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761) >>> 0;
  }

  statement(): string {
    const shape = this.#below(12);
    if (shape === 0) return this.#update();
    if (shape === 1) return this.#delete();
    if (shape === 2) return this.#insert();
    if (shape <= 5) return this.#withChain();
    return this.#select(3, []).sql;
  }

  /** Returns a whole number from 0 to below `limit`. */
  #below(limit: number): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  #one<T>(of: readonly T[]): T {
    const found = of[this.#below(of.length)];
    if (found === undefined) throw new Error("one of nothing");
    return found;
  }

  #chance(percent: number): boolean {
    return this.#below(100) < percent;
  }

  #alias(): string {
    this.#aliases += 1;
    return `t${this.#aliases}`;
  }

  #table(): Table {
    return this.#ctes.length > 0 && this.#chance(60) ? this.#one(this.#ctes) : this.#one(TABLES);
  }

  #withChain(): string {
    const count = 1 + this.#below(this.#chance(10) ? 16 : 4);
    const parts: string[] = [];
    for (let at = 0; at < count; at++) {
      const query = this.#select(1, []);
      const name = `c${at}`;
      const word = this.#one(["", "", "", "MATERIALIZED ", "NOT MATERIALIZED "]);
      const listed = this.#chance(20) ? query.columns.map((_, index) => `k${index}`) : undefined;
      parts.push(`${name}${listed ? ` (${listed.join(", ")})` : ""} AS ${word}(${query.sql})`);
      const columns = query.columns.map(
        ([own, type], index) => [listed?.[index] ?? own, type] as const,
      );
      this.#ctes = [...this.#ctes, { name, columns }];
    }
    return `WITH ${parts.join(", ")} ${this.#chance(15) ? this.#update() : this.#select(2, []).sql}`;
  }

  #update(): string {
    const { columns, name } = this.#one(TABLES);
    const alias = this.#alias();
    const own = columns.map(([each, type]) => ({ sql: `${alias}.${each}`, type }));
    const from = this.#chance(40) ? this.#from(1, []) : undefined;
    const scope = [...own, ...(from?.columns ?? [])];
    const [column, type] = this.#one(columns);
    const set = `${column} = ${this.#value(type, scope, 1)}`;
    const returning = this.#chance(50)
      ? ` RETURNING ${this.#one(["*", `${alias}.*`, `${alias}.id`])}`
      : "";
    return `UPDATE ${name} ${alias} SET ${set}${from ? ` FROM ${from.sql}` : ""} WHERE ${this.#condition(scope, 2)}${returning}`;
  }

  #delete(): string {
    const { columns, name } = this.#one(TABLES);
    const alias = this.#alias();
    const own = columns.map(([each, type]) => ({ sql: `${alias}.${each}`, type }));
    const using = this.#chance(40) ? this.#from(1, []) : undefined;
    const scope = [...own, ...(using?.columns ?? [])];
    return `DELETE FROM ${name} ${alias}${using ? ` USING ${using.sql}` : ""} WHERE ${this.#condition(scope, 2)}`;
  }

  #insert(): string {
    const from = this.#from(1, []);
    const say = (type: Type) => this.#value(type, from.columns, 1);
    if (this.#chance(50))
      return `INSERT INTO items (order_id, product_id, note) SELECT ${say("int")}, ${say("int")}, ${say("text")} FROM ${from.sql}`;
    const value = (type: Type) => this.#value(type, [], 1);
    return `INSERT INTO customers (email, name, country) VALUES (${value("text")}, ${value("text")}, ${value("text")}) ON CONFLICT (email) DO UPDATE SET country = excluded.name, active = ${value("bool")} WHERE customers.name BETWEEN excluded.name AND customers.country`;
  }

  /** @param outer columns of the enclosing queries */
  #select(depth: number, outer: readonly Column[], wanted?: Type): Query {
    const from = this.#from(depth, outer);
    const scope = [...from.columns, ...outer];
    const where = this.#chance(75) ? ` WHERE ${this.#condition(scope, depth)}` : "";
    if (wanted === undefined && this.#chance(20) && from.star !== undefined)
      return { sql: `SELECT * FROM ${from.sql}${where}`, columns: from.star };
    if (this.#chance(15)) return this.#grouped(from, where, wanted);
    const types =
      wanted === undefined
        ? Array.from({ length: 1 + this.#below(3) }, () => this.#one(TYPES))
        : [wanted];
    const columns = types.map((type, at) => [`v${at}`, type] as const);
    const items = types.map((type, at) => `${this.#output(type, scope, depth)} AS v${at}`);
    const whole = `SELECT ${this.#chance(10) ? "DISTINCT " : ""}${items.join(", ")} FROM ${from.sql}${where}`;
    if (this.#chance(12)) {
      const other = `SELECT ${types.map((type) => `${this.#value(type, scope, 0)}::${CASTS[type]}`).join(", ")} FROM ${from.sql}`;
      const word = this.#one(["UNION", "UNION ALL", "INTERSECT", "EXCEPT"]);
      const cast = types.map(
        (type, at) => `${this.#value(type, scope, 0)}::${CASTS[type]} AS v${at}`,
      );
      return {
        sql: `SELECT ${cast.join(", ")} FROM ${from.sql}${where} ${word} ${other}`,
        columns,
      };
    }
    const tail = this.#one([
      "",
      "",
      "",
      " ORDER BY 1 DESC NULLS LAST",
      " LIMIT 3",
      " ORDER BY v0 LIMIT :limit OFFSET 1",
    ]);
    return { sql: whole + (whole.startsWith("SELECT DISTINCT") ? "" : tail), columns };
  }

  #grouped(from: From, where: string, wanted: Type | undefined): Query {
    const key = this.#one(from.columns);
    const counted =
      wanted === undefined || wanted === "int" ? "count(*) FILTER (WHERE " : undefined;
    const value = this.#value(wanted ?? "text", from.columns, 0);
    const target =
      counted === undefined
        ? `(min(${value}::text))::${CASTS[wanted ?? "text"]}`
        : `(${counted}${this.#condition(from.columns, 1)}))::int`;
    const having = this.#chance(50)
      ? ` HAVING count(*) BETWEEN 1 AND max(${this.#value("int", from.columns, 0)}::int)`
      : "";
    const group = key.type === "json" ? "" : ` GROUP BY ${key.sql}`;
    return {
      sql: `SELECT ${target} AS v0 FROM ${from.sql}${where}${group}${having}`,
      columns: [["v0", wanted ?? "int"]],
    };
  }

  #from(depth: number, outer: readonly Column[]): From {
    const first = this.#item(depth, outer);
    if (this.#chance(55)) return first;
    if (depth > 0 && this.#chance(35)) {
      const inner = this.#select(depth - 1, [...first.columns, ...outer]);
      const alias = this.#alias();
      const columns = inner.columns.map(([name, type]) => ({ sql: `${alias}.${name}`, type }));
      const sql = this.#one([
        `${first.sql}, LATERAL (${inner.sql}) ${alias}`,
        `${first.sql} CROSS JOIN LATERAL (${inner.sql}) AS ${alias}`,
        `${first.sql} LEFT JOIN LATERAL (${inner.sql}) ${alias} ON true`,
      ]);
      return {
        sql,
        columns: [...first.columns, ...columns],
        star: both(first.star, inner.columns),
      };
    }
    const second = this.#item(depth, outer);
    const columns = [...first.columns, ...second.columns];
    const word = this.#one(["JOIN", "LEFT JOIN", "RIGHT JOIN", "JOIN"]);
    const sql = this.#chance(20)
      ? `${first.sql}, ${second.sql}`
      : `${first.sql} ${word} ${second.sql} ON ${this.#condition(columns, 1)}`;
    return { sql, columns, star: both(first.star, second.star) };
  }

  #item(depth: number, outer: readonly Column[]): From {
    const alias = this.#alias();
    const query = depth > 0 && this.#chance(20) ? this.#select(depth - 1, []) : undefined;
    void outer;
    const { columns, name } =
      query === undefined ? this.#table() : { ...query, name: `(${query.sql})` };
    return {
      sql: `${name} ${alias}`,
      columns: columns.map(([each, type]) => ({ sql: `${alias}.${each}`, type })),
      star: columns,
    };
  }

  /** A constant has no type of its own in a query. */
  #output(type: Type, scope: readonly Column[], depth: number): string {
    const value = this.#value(type, scope, depth);
    if (scope.length > 0 && this.#chance(15)) {
      const by = `PARTITION BY ${this.#one(scope).sql} ORDER BY ${this.#value("int", scope, 0)}`;
      return `${this.#one(["first_value", "lag", "last_value"])}(${value}::${CASTS[type]}) OVER (${by})`;
    }
    return CONSTANTS[type].includes(value) ? `${value}::${CASTS[type]}` : value;
  }

  #value(type: Type, scope: readonly Column[], depth: number): string {
    const own = scope.filter((each) => each.type === type);
    const plain = () =>
      own.length > 0 && this.#chance(75) ? this.#one(own).sql : this.#one(CONSTANTS[type]);
    if (depth <= 0 || this.#chance(45)) return plain();
    const next = (of: Type = type) => this.#value(of, scope, depth - 1);
    const cast = CASTS[type];
    const shapes: (() => string)[] = [
      () => `coalesce(${next()}, ${next()})::${cast}`,
      () =>
        `CASE WHEN ${this.#condition(scope, depth - 1)} THEN ${next()} ELSE ${next()}::${cast} END`,
      () => `(SELECT one.v0 FROM (${this.#select(depth - 1, scope, type).sql}) one LIMIT 1)`,
      () => `nullif(${type === "json" ? plain() : next()}::${cast}, ${next()}::${cast})`,
    ];
    if (type === "int")
      shapes.push(
        () => `(${next()} + ${next()})`,
        () => `length(${next("text")})`,
        () => `abs(${next()})`,
      );
    if (type === "text")
      shapes.push(
        () => `lower(${next()})`,
        () => `(${next()} || ${next()})`,
        () => `(${next("tags")})[1]`,
      );
    if (type === "bool") shapes.push(() => `(${this.#condition(scope, depth - 1)})`);
    if (type === "tags")
      shapes.push(
        () => `ARRAY(${this.#select(depth - 1, scope, "text").sql})`,
        () => `array_append(${next()}, ${next("text")})`,
      );
    return this.#one(shapes)();
  }

  #condition(scope: readonly Column[], depth: number): string {
    const type = this.#one(ORDERED);
    const value = (of: Type = type) => this.#value(of, scope, depth - 1);
    const typed = (of: Type = type) => {
      const own = scope.filter((each) => each.type === of);
      return own.length > 0 ? this.#one(own).sql : `${this.#one(CONSTANTS[of])}::${CASTS[of]}`;
    };
    const inner = (of: Type = type) => this.#select(depth - 1, scope, of).sql;
    const part = () => this.#condition(scope, depth - 1);
    const shapes: (() => string)[] = [
      () =>
        `${typed()} ${this.#one(["=", "<>", "<", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"])} ${value()}`,
      () =>
        `${typed()} ${this.#one(["BETWEEN", "NOT BETWEEN", "BETWEEN SYMMETRIC"])} ${value()} AND ${value()}`,
      () => `${typed()} ${this.#one(["IN", "NOT IN"])} (${value()}, ${value()}, ${value()})`,
      () => `${typed("text")} ${this.#one(["LIKE", "NOT ILIKE", "~", "!~*"])} ${value("text")}`,
      () => `${typed()} ${this.#one(["= ANY", "<> ALL", "< ANY"])} (ARRAY[${value()}, ${typed()}])`,
      () => `${value("text")} = ANY (${typed("tags")})`,
      () => `${typed("tags")} ${this.#one(["@>", "&&", "<@", "="])} ${value("tags")}`,
      () => `${typed("json")} ${this.#one(["@>", "="])} ${value("json")}`,
      () =>
        `(${typed()}, ${typed("int")}) ${this.#one(["=", "<", "IN"])} ${`((${value()}, ${value("int")}))`}`.replace(
          /(=|<) \((\(.*\))\)$/s,
          "$1 $2",
        ),
      () => `${typed(this.#one(TYPES))} ${this.#one(["IS NULL", "IS NOT NULL"])}`,
      () =>
        `${typed("bool")} ${this.#one(["IS TRUE", "IS NOT TRUE", "IS FALSE", "IS UNKNOWN", "= true", "= :b"])}`,
      () => typed("bool"),
    ];
    if (depth > 0)
      shapes.push(
        () => `(${part()} AND ${part()})`,
        () => `(${part()} OR ${part()})`,
        () => `NOT (${part()})`,
        () => `EXISTS (${inner()})`,
        () => `NOT EXISTS (${inner()})`,
        () => `${typed()} ${this.#one(["IN", "NOT IN"])} (${inner()})`,
        () => `${typed()} ${this.#one(["IN", "NOT IN"])} (SELECT * FROM (${inner()}) deep)`,
        () => `${typed()} ${this.#one(["= ANY", "< ALL"])} (${inner()})`,
        () => `${typed()} ${this.#one(["=", "<"])} (SELECT * FROM (${inner()}) deep LIMIT 1)`,
        () => `(${typed()}, ${typed("int")}) IN (SELECT one.*, 1 FROM (${inner()}) one)`,
        () => `${typed("int")} IN (SELECT * FROM generate_series(1, ${value("int")}))`,
      );
    return this.#one(shapes)();
  }
}

interface From {
  readonly sql: string;
  readonly columns: readonly Column[];
  /** Columns of `*`; undefined if two columns have the same name. */
  readonly star: Table["columns"] | undefined;
}

function both(
  a: Table["columns"] | undefined,
  b: Table["columns"] | undefined,
): Table["columns"] | undefined {
  const all = a && b && [...a, ...b];
  return all && new Set(all.map(([name]) => name)).size === all.length ? all : undefined;
}
