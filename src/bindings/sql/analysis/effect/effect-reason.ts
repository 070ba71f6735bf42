/** Why a statement is a write, and which of the reasons leave something in its session. */
import { type Remedy, SIDE_EFFECTING } from "./side-effects.js";

/**
 * The checks of a `domain`, what reading a `table` needs, what planning that needs (`plan`), what
 * reads, prints or orders values of a `type`, or the `default`s of a function's arguments.
 */
type Unasked = "domain" | "table" | "plan" | "type" | "default";

/** Why a statement is a write. */
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
   * What it is about: `INSERT`, `FOR UPDATE`, a function's or operator's name, a cast's types, the
   * kind of a node.
   */
  readonly name: string;
  /**
   * Of an operator or cast: the functions behind it that are not known to be free of side effects,
   * as `schema.name`.
   */
  readonly functions?: readonly string[];
  /** What would make a read of it. */
  readonly remedy?: Remedy;
  /** UTF-8 bytes into the statement; undefined where the tree has no place for it. */
  readonly location?: number;
  /**
   * The view in whose definition it stands, as `schema.name`: then the location is where the
   * statement names the view.
   */
  readonly view?: string;
  /** What PostgreSQL evaluates unasked and in which it stands. */
  readonly within?: { readonly kind: Unasked; readonly name: string };
}

/**
 * Functions of pg_catalog that act on the session, or run a text as SQL. What the others change is
 * in tables, in the transaction, or elsewhere.
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
 * Whether a statement may leave something in its session that the end of the transaction doesn't
 * undo: settings, locks. A user's own function may do anything. Not seen: what triggers and
 * defaults do.
 *
 * @param reasons why it is a write
 */
export function marksSession(reasons: readonly EffectReason[]): boolean {
  return reasons.some(({ functions, kind, name }) => {
    if (kind === "not-understood") return true;
    return (kind === "function" ? [name] : (functions ?? [])).some(mayMark);
  });
}

/** @param path as it is written, or `schema.name` */
function mayMark(path: string): boolean {
  const [name = "", schema = "pg_catalog"] = path.split(".").toReversed();
  return schema !== "pg_catalog" || MARKING.has(name) || !SIDE_EFFECTING.has(name);
}
