/**
 * Decides which functions have side effects. For functions of PostgreSQL and known extensions,
 * lists decide. A user's own function has them unless it is listed in skillc.yaml.
 */
import { type PgCatalog, qualifiedName } from "../../database/pg-catalog.js";
import type { PgFunction } from "../../database/snapshot.js";

/** A user's own functions that skillc.yaml declares harmless: `"name"` or `"schema.name"`. */
export type Listed = ReadonlySet<string>;

/** PostgreSQL's own objects have OIDs below this limit. */
const FIRST_OWN_OID = 16_384;

/**
 * True if a function has no side effects. The volatility of PostgreSQL's own functions and of known
 * extensions is trusted. A user's function must be listed.
 */
export function isSideEffectFree(each: PgFunction, listed: Listed): boolean {
  if (each.kind === "procedure") return false;
  const { sideEffecting, sideEffectFree, known } = sourceOf(each);
  if (!known) return each.volatility !== "volatile" && isListed(each, listed);
  if (each.schema === "pg_catalog" && each.volatility === "immutable") return true;
  return (
    !sideEffecting.has(each.name) &&
    (each.volatility !== "volatile" || sideEffectFree.has(each.name))
  );
}

const NONE: ReadonlySet<string> = new Set();

function sourceOf({ extension, oid, schema }: PgFunction) {
  if (schema === "pg_catalog")
    return { known: true, sideEffecting: SIDE_EFFECTING, sideEffectFree: SIDE_EFFECT_FREE };
  const isComputing = extension !== undefined && COMPUTING.has(extension);
  if (isComputing)
    return {
      known: true,
      sideEffecting: COMPUTING_SIDE_EFFECTING,
      sideEffectFree: COMPUTING_SIDE_EFFECT_FREE,
    };
  const isStandard = schema === "information_schema" && oid < FIRST_OWN_OID;
  return { known: isStandard, sideEffecting: NONE, sideEffectFree: NONE };
}

function isListed({ name, schema }: PgFunction, listed: Listed): boolean {
  return listed.has(name) || listed.has(`${schema}.${name}`);
}

/** Changes that would make functions count as free of side effects. */
export interface Remedy {
  /** Names of the functions, as `schema.name`. */
  readonly functions: readonly string[];
  /** True if skillc.yaml doesn't list all of them yet. */
  readonly list: boolean;
  /** True if some are declared VOLATILE. A function that only reads can be declared STABLE. */
  readonly declare: boolean;
}

/** Finds the changes; undefined if none would help. */
export function remedyFor(
  sideEffecting: readonly PgFunction[],
  listed: Listed,
): Remedy | undefined {
  const isOwn = sideEffecting.every((each) => each.kind !== "procedure" && !sourceOf(each).known);
  if (sideEffecting.length === 0 || !isOwn) return undefined;
  return {
    functions: [...new Set(sideEffecting.map(qualifiedName))],
    list: !sideEffecting.every((each) => isListed(each, listed)),
    declare: sideEffecting.some((each) => each.volatility === "volatile"),
  };
}

/**
 * Functions of operators or casts that may have side effects (`functions`), and OIDs that the
 * catalog lacks (`unknown`).
 */
export interface SideEffectsBehind {
  readonly functions: readonly PgFunction[];
  readonly unknown: readonly string[];
}

export function sideEffectsBehind(
  pgCatalog: PgCatalog,
  oids: readonly number[],
  listed: Listed,
): SideEffectsBehind {
  const functions = new Set<PgFunction>();
  const unknown = new Set<string>();
  for (const oid of oids) {
    const found = pgCatalog.functionOf(oid);
    if (found === undefined) unknown.add(String(oid));
    else if (!isSideEffectFree(found, listed)) functions.add(found);
  }
  return { functions: [...functions], unknown: [...unknown] };
}

/**
 * Lists of functions in pg_catalog that are volatile, or have side effects although they are not. A
 * volatile function in neither list counts as a side effect; any other unlisted function only
 * computes. Some exist only in certain versions of PostgreSQL.
 */

/**
 * Functions without side effects that are volatile because their result changes: time, random
 * values, sizes, the state of the server.
 */
export const SIDE_EFFECT_FREE: ReadonlySet<string> = new Set(
  [
    // Random values and time.
    "random random_normal gen_random_uuid uuidv4 uuidv7 array_sample array_shuffle clock_timestamp timeofday",
    // Positions of sequences and rows.
    "currval lastval pg_sequence_last_value pg_get_sequence_data currtid2",
    // Sizes and partitions.
    "pg_database_size pg_indexes_size pg_relation_size pg_table_size pg_tablespace_size pg_total_relation_size pg_partition_ancestors pg_partition_tree",
    // State of transactions, replication and recovery.
    "pg_is_in_recovery pg_is_wal_replay_paused pg_get_wal_replay_pause_state pg_last_committed_xact pg_last_wal_receive_lsn pg_last_wal_replay_lsn",
    "pg_last_xact_replay_timestamp pg_current_wal_flush_lsn pg_current_wal_insert_lsn pg_current_wal_lsn pg_xact_commit_timestamp",
    "pg_xact_commit_timestamp_origin pg_xact_status txid_status pg_get_multixact_members pg_get_wal_resource_managers pg_get_wal_summarizer_state",
    "pg_available_wal_summaries pg_wal_summary_contents pg_replication_origin_progress pg_replication_origin_session_is_setup",
    "pg_replication_origin_session_progress pg_show_replication_origin_status",
    // State of locks and sessions.
    "pg_blocking_pids pg_safe_snapshot_blocking_pids pg_isolation_test_session_is_blocked pg_lock_status pg_prepared_xact pg_notification_queue_usage",
    "current_query",
    // State of the server.
    "pg_collation_actual_version pg_database_collation_actual_version pg_jit_available pg_control_checkpoint pg_control_init pg_control_recovery",
    "pg_control_system pg_get_wait_events pg_get_aios pg_get_backend_memory_contexts pg_get_shmem_allocations pg_get_shmem_allocations_numa",
    "pg_get_loaded_modules amvalidate",
    // Statistics.
    "pg_stat_get_backend_io pg_stat_get_backend_wal pg_stat_get_io pg_stat_get_recovery_prefetch pg_stat_have_stats pg_stat_get_xact_blocks_fetched",
    "pg_stat_get_xact_blocks_hit pg_stat_get_xact_function_calls pg_stat_get_xact_function_self_time pg_stat_get_xact_function_total_time",
    "pg_stat_get_xact_numscans pg_stat_get_xact_tuples_deleted pg_stat_get_xact_tuples_fetched pg_stat_get_xact_tuples_hot_updated",
    "pg_stat_get_xact_tuples_inserted pg_stat_get_xact_tuples_newpage_updated pg_stat_get_xact_tuples_returned pg_stat_get_xact_tuples_updated",
  ].flatMap((line) => line.split(" ")),
);

/**
 * Functions that change something, reach outside of the database, or run a text or a view as SQL,
 * whatever their volatility. Immutable overloads are exempt.
 */
export const SIDE_EFFECTING: ReadonlySet<string> = new Set(
  [
    // Sequences, settings, the seed of random().
    "nextval setval set_config setseed",
    // Large objects. Even reading needs descriptors that stay open.
    "lo_close lo_creat lo_create lo_export lo_from_bytea lo_get lo_import lo_lseek lo_lseek64 lo_open lo_put lo_tell lo_tell64 lo_truncate",
    "lo_truncate64 lo_unlink loread lowrite",
    // Locks that others wait for. Sleep keeps all held locks.
    "pg_advisory_lock pg_advisory_lock_shared pg_advisory_unlock pg_advisory_unlock_all pg_advisory_unlock_shared pg_advisory_xact_lock",
    "pg_advisory_xact_lock_shared pg_try_advisory_lock pg_try_advisory_lock_shared pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared",
    "pg_sleep pg_sleep_for pg_sleep_until",
    // Other sessions and the server.
    "pg_notify pg_cancel_backend pg_terminate_backend pg_reload_conf pg_rotate_logfile pg_promote pg_log_backend_memory_contexts",
    "pg_log_standby_snapshot pg_export_snapshot pg_import_system_collations pg_nextoid pg_stop_making_pinned_objects pg_extension_config_dump",
    // Files of the server.
    "pg_read_file pg_read_binary_file pg_stat_file pg_ls_dir pg_ls_archive_statusdir pg_ls_logdir pg_ls_logicalmapdir pg_ls_logicalsnapdir",
    "pg_ls_replslotdir pg_ls_summariesdir pg_ls_tmpdir pg_ls_waldir pg_current_logfile pg_hba_file_rules pg_ident_file_mappings",
    "pg_show_all_file_settings",
    // Backup, the log, replication.
    "pg_backup_start pg_backup_stop pg_create_restore_point pg_switch_wal pg_wal_replay_pause pg_wal_replay_resume pg_logical_emit_message",
    "pg_logical_slot_get_binary_changes pg_logical_slot_get_changes pg_logical_slot_peek_binary_changes pg_logical_slot_peek_changes",
    "pg_create_logical_replication_slot pg_create_physical_replication_slot pg_copy_logical_replication_slot pg_copy_physical_replication_slot",
    "pg_drop_replication_slot pg_replication_slot_advance pg_sync_replication_slots pg_replication_origin_advance pg_replication_origin_create",
    "pg_replication_origin_drop pg_replication_origin_session_reset pg_replication_origin_session_setup pg_replication_origin_xact_reset",
    "pg_replication_origin_xact_setup",
    // Statistics and indexes.
    "pg_stat_clear_snapshot pg_stat_force_next_flush pg_stat_reset pg_stat_reset_backend_stats pg_stat_reset_replication_slot pg_stat_reset_shared",
    "pg_stat_reset_single_function_counters pg_stat_reset_single_table_counters pg_stat_reset_slru pg_stat_reset_subscription_stats",
    "pg_clear_attribute_stats pg_clear_relation_stats pg_restore_attribute_stats pg_restore_relation_stats brin_desummarize_range",
    "brin_summarize_new_values brin_summarize_range gin_clean_pending_list",
    // Functions that run a text, a cursor, or the view behind a table's name.
    "query_to_xml query_to_xml_and_xmlschema query_to_xmlschema cursor_to_xml cursor_to_xmlschema table_to_xml table_to_xml_and_xmlschema",
    "table_to_xmlschema schema_to_xml schema_to_xml_and_xmlschema schema_to_xmlschema database_to_xml database_to_xml_and_xmlschema",
    "database_to_xmlschema ts_stat ts_rewrite",
  ].flatMap((line) => line.split(" ")),
);

/**
 * Internal functions: of triggers, languages, indexes, samples and upgrades. SQL can't or shouldn't
 * call them.
 */
export const MACHINERY =
  /^(RI_FKey_\w+|binary_upgrade_\w+|plpgsql_\w+|dsnowball_\w+|\w+handler|heap_tableam_handler|tsvector_update_trigger(_column)?|unique_key_recheck|suppress_redundant_updates_trigger|bernoulli|system)$/;

/**
 * Extensions whose declared volatility is trusted: PostgreSQL's own that only compute, and two
 * others. Extensions are left out if they run a text as SQL (dblink, tablefunc, xml2), reach files
 * or other servers (file_fdw, postgres_fdw, adminpack), or manage the server.
 */
const COMPUTING: ReadonlySet<string> = new Set(
  (
    "btree_gin btree_gist citext cube dict_int dict_xsyn earthdistance fuzzystrmatch hstore intagg intarray isn ltree pg_trgm pgcrypto seg " +
    "tsm_system_rows tsm_system_time unaccent uuid-ossp postgis vector"
  ).split(" "),
);

/** Functions of these extensions that are volatile only because of time and random values. */
const COMPUTING_SIDE_EFFECT_FREE: ReadonlySet<string> = new Set(
  "gen_random_bytes gen_random_uuid gen_salt uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4".split(
    " ",
  ),
);

/**
 * Functions of these extensions that change a setting of the session, whatever their volatility.
 */
const COMPUTING_SIDE_EFFECTING: ReadonlySet<string> = new Set(["isn_weak", "set_limit"]);
