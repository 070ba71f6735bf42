/**
 * Describes the targets of calls. The compiler knows what a tool may reach (its capabilities in the
 * catalog); the runtime knows the target of one call after it builds the request. Both write
 * targets in the same notation, `<action> <target>`. Each binding kind has a function for it.
 */

/**
 * One target of a call. If a setting has an unusable value, its part is empty, and nothing is sent
 * to that target.
 */
export interface Reach {
  /** `http`, `sql`, `queue`, or the name of another kind. */
  readonly kind: string;
  /**
   * Capabilities that a call needs for this target, such as `net.http:post ${ORDERS_URL}/orders`.
   */
  readonly capabilities: readonly string[];
}

/** One target that a tool may reach, and the credentials that it needs for that. */
export interface Capability {
  /**
   * The target in text, such as `net.http:post ${ORDERS_URL}/orders`, `sql:read ${WAREHOUSE_URL}
   * public.orders` or `queue:send kafka orders.created`.
   */
  readonly capability: string;
  /** Names of the settings and credentials needed. */
  readonly credentials: readonly string[];
  /**
   * Set if a parameter may contain the path segments `.` and `..`, so that a call can leave the
   * path.
   */
  readonly dot_segments?: true;
  /** PostgreSQL's kind of the relation: `table`, `view`… */
  readonly relation?: string;
  /**
   * Columns of the table that the statement names; empty if it only counts, joins or truncates the
   * table.
   */
  readonly columns?: readonly string[];
  /**
   * Views through which the tool reaches the table; absent if the statement names the table itself.
   */
  readonly behind?: readonly string[];
}

/** A target of any binding kind that uses HTTP. */
export interface HttpReach extends Reach {
  readonly kind: "http";
  /** HTTP method in upper case. */
  readonly method: string;
  /** Origin such as `https://api.example.com`, or `${NAME}` if a setting holds it. */
  readonly origin: string;
  /** Encoded path, without a query. */
  readonly path: string;
}

/**
 * Makes the reach of an HTTP request.
 *
 * @param path encoded, without a query; empty for the root of an origin
 */
export function httpReach(method: string, origin: string, path: string): HttpReach {
  const capability = `net.http:${method.toLowerCase()} ${origin}${path}`;
  return { kind: "http", capabilities: [capability], method, origin, path };
}

/**
 * Makes the reach of starting a process.
 *
 * @param program a path, or a name that the system looks up in `PATH`
 */
export function processReach(program: string): Reach {
  return { kind: "process", capabilities: [`proc.exec ${program}`] };
}

/**
 * Makes the reach of a folder or file.
 *
 * @param path as the skill's author wrote it, such as `./workspace`
 */
export function fileReach(access: "read" | "write", path: string): Reach {
  return { kind: "file", capabilities: [`fs.${access} ${path}`] };
}

/**
 * Makes the reach of asking a model for parameters of a plan.
 *
 * @param plan id of the plan: `skill/tool`
 */
export function plannerReach(plan: string): Reach {
  return { kind: "planner", capabilities: [`planner:ask ${plan}`] };
}

/** Makes the reach of the temporary folders of a plan, a call or a trace. */
export function temporaryReach(): Reach {
  return { kind: "file", capabilities: ["tmp.use"] };
}

/** Makes the reach of a process that may use the network as it likes. */
export function networkReach(): Reach {
  return { kind: "network", capabilities: ["net.any"] };
}
