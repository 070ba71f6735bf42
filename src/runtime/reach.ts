/**
 * Where a call goes. What a tool may reach is known when it is generated (its capabilities, in the
 * catalog); where one call goes is known once its request is built. Both are said in one notation,
 * `<what for> <where>`, that each kind of binding has a function for.
 */

/**
 * One place that a call goes to. A part is empty when a setting's value is not usable for it; then
 * nothing is sent there.
 */
export interface Reach {
  /** `http`, `sql`, `queue`, or a word of another kind's. */
  readonly kind: string;
  /** The capabilities that a call needs to go there: `net.http:post ${ORDERS_URL}/orders`. */
  readonly capabilities: readonly string[];
}

/** What a tool may reach, and what it takes for it. */
export interface Capability {
  /**
   * `net.http:post ${ORDERS_URL}/orders`, `sql:read ${WAREHOUSE_URL} public.orders`, `queue:send
   * kafka orders.created`.
   */
  readonly capability: string;
  /** Names of the settings and credentials that it takes. */
  readonly credentials: readonly string[];
  /** Set where a parameter may have the parts `.` and `..`, so that a call leads out of its path. */
  readonly dot_segments?: true;
  /** What a table is to PostgreSQL: `table`, `view`… */
  readonly relation?: string;
  /** Of a table: the columns that are named; none where it is only counted, joined or emptied. */
  readonly columns?: readonly string[];
  /** Of a table that the tool does not name itself: the views through which it is touched. */
  readonly behind?: readonly string[];
}

/** Of any kind that speaks HTTP. */
export interface HttpReach extends Reach {
  readonly kind: "http";
  readonly method: string;
  /** `https://api.example.com`, or `${NAME}` where a setting holds it. */
  readonly origin: string;
  /** Without a query, encoded as it is sent. */
  readonly path: string;
}

/** @param path encoded, without a query; empty for the root of an origin */
export function httpReach(method: string, origin: string, path: string): HttpReach {
  const capability = `net.http:${method.toLowerCase()} ${origin}${path}`;
  return { kind: "http", capabilities: [capability], method, origin, path };
}

/** @param program a path, or a name that the system looks up in `PATH` */
export function processReach(program: string): Reach {
  return { kind: "process", capabilities: [`process:start ${program}`] };
}
