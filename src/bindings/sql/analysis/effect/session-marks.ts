import type { EffectReason } from "./effect-reason.js";
import { ACTING } from "./pg-catalog.js";

/** Functions of pg_catalog that act on the session, or run a text as SQL. What the others change is in tables, in the transaction, or elsewhere. */
const MARKING: ReadonlySet<string> = new Set(
  [
    "set_config setseed pg_replication_origin_session_reset pg_replication_origin_session_setup",
    "pg_advisory_lock pg_advisory_lock_shared pg_advisory_unlock pg_advisory_unlock_all pg_advisory_unlock_shared",
    "pg_try_advisory_lock pg_try_advisory_lock_shared",
    "query_to_xml query_to_xml_and_xmlschema query_to_xmlschema ts_stat ts_rewrite",
  ].flatMap((line) => line.split(" ")),
);

/**
 * Whether a statement may leave something in its session that the end of the transaction doesn't undo: settings, locks. A user's own function may do
 * anything. Not seen: what triggers and defaults do.
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
  return schema !== "pg_catalog" || MARKING.has(name) || !ACTING.has(name);
}
