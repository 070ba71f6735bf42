/** Reasons why a statement is a write, and which of them leave something in its session. */
import { type Remedy, SIDE_EFFECTING } from "./side-effects.js";

/**
 * A part that PostgreSQL evaluates implicitly: the checks of a `domain`, the policies and virtual
 * columns of a `table`, the parts that planning it evaluates (`plan`), functions that read, print
 * or order values of a `type`, or the `default`s of a function's arguments.
 */
type Unasked = "domain" | "table" | "plan" | "type" | "default";

/** A reason why a statement is a write. */
export interface EffectReason {
  readonly kind:
    | "modifies"
    | "into"
    | "lock"
    | "function"
    | "operator"
    | "cast"
    | "sample"
    | "program"
    | "not-understood";
  /**
   * Subject of the reason: `INSERT`, `FOR UPDATE`, the name of a function or operator, the types of
   * a cast, the kind of a node.
   */
  readonly name: string;
  /** For an operator or a cast: its functions that may have side effects, as `schema.name`. */
  readonly functions?: readonly string[];
  /** A change that would make the statement a read. */
  readonly remedy?: Remedy;
  /** Position in UTF-8 bytes into the statement; undefined if the tree has none. */
  readonly location?: number;
  /**
   * The view whose definition contains the cause, as `schema.name`. The location is then that of
   * the view's name.
   */
  readonly view?: string;
  /** The implicitly evaluated part that contains the cause. */
  readonly within?: { readonly kind: Unasked; readonly name: string };
}

/**
 * Functions of pg_catalog that affect the session, or run a text as SQL. Others change only tables,
 * the transaction, or objects outside of the session.
 */
const MARKING: ReadonlySet<string> = new Set(
  [
    "set_config setseed pg_replication_origin_session_reset pg_replication_origin_session_setup",
    "pg_advisory_lock pg_advisory_lock_shared pg_advisory_unlock pg_advisory_unlock_all pg_advisory_unlock_shared",
    "pg_try_advisory_lock pg_try_advisory_lock_shared",
    "query_to_xml query_to_xml_and_xmlschema query_to_xmlschema ts_stat ts_rewrite",
  ].flatMap((line) => line.split(" ")),
);

/**
 * True if a statement may leave something in its session that survives the transaction, such as a
 * setting or a lock. A user's own function may do so. Triggers and defaults are not examined.
 *
 * @param reasons reasons why the statement is a write
 */
export function marksSession(reasons: readonly EffectReason[]): boolean {
  return reasons.some(({ functions, kind, name }) => {
    if (kind === "not-understood") return true;
    return (kind === "function" ? [name] : (functions ?? [])).some(mayMark);
  });
}

/** @param path as written, or `schema.name` */
function mayMark(path: string): boolean {
  const [name = "", schema = "pg_catalog"] = path.split(".").toReversed();
  return schema !== "pg_catalog" || MARKING.has(name) || !SIDE_EFFECTING.has(name);
}
