import type { PgFunction } from "../../database/snapshot.js";
import {
  COUNTING,
  TAKES_NULLS,
  VALUE_FOR_ONE_ROW,
  WINDOW_VALUE,
} from "../catalog/never-null-functions.js";
import type { ValueType } from "../catalog/value-type.js";
import { type Fields, namesIn } from "../node.js";
import type { Analysis, Scope, Value } from "./model.js";
import { belongsHere } from "./level.js";
import { certain, possible } from "./value.js";

interface Resolved {
  readonly call: Fields<"FuncCall">;
  readonly candidates: readonly PgFunction[];
  readonly given: readonly Value[];
  readonly type: ValueType;
  /** No argument is turned into NULL on its way. */
  readonly sure: boolean;
}

/** An aggregate is a value over at least one row that gives it one: so a GROUP BY is needed, and no FILTER. */
export function inferAggregate(resolved: Resolved, scope: Scope): Value {
  const { call, type } = resolved;
  if (isOneOf(COUNTING, resolved)) return certain(type);
  const fed =
    scope.grouped &&
    call.agg_filter === undefined &&
    call.agg_within_group !== true &&
    belongsHere(call, scope);
  return fed && isFedValues(resolved) ? certain(type) : possible(type);
}

/** A window function, or an aggregate over a frame that holds the row itself. */
export function inferWindow(resolved: Resolved, scope: Scope): Value {
  const { call, candidates, given, sure, type } = resolved;
  if (candidates.length === 0) return possible(type);
  if (isOneOf(COUNTING, resolved)) return certain(type);
  if (isOneOf(WINDOW_VALUE, resolved))
    return sure && given.every((each) => each.null === "never") ? certain(type) : possible(type);
  const fed = call.agg_filter === undefined && holdsRow(frameOf(call, scope));
  return fed && isFedValues(resolved) ? certain(type) : possible(type);
}

function isOneOf(names: ReadonlySet<string>, { candidates }: Resolved): boolean {
  return (
    candidates.length > 0 &&
    candidates.every((each) => each.schema === "pg_catalog" && names.has(each.name))
  );
}

/** `string_agg` may have a NULL between texts: only what is collected counts, the first argument, or the key of an object, which is never NULL. */
function isFedValues(resolved: Resolved): boolean {
  if (!isOneOf(VALUE_FOR_ONE_ROW, resolved)) return false;
  if (isOneOf(TAKES_NULLS, resolved)) return true;
  return resolved.sure && resolved.given[0]?.null === "never";
}

function frameOf({ over }: Fields<"FuncCall">, { windows }: Scope): number | undefined {
  // `OVER w` is the window as defined; `OVER (w …)` has a frame of its own.
  return over?.name === undefined ? over?.frameOptions : windows.get(over.name);
}

// PostgreSQL's FRAMEOPTION_ bits.
const STARTS_BEFORE = 0x20 | 0x200 | 0x800;
const ENDS_AFTER = 0x100 | 0x400 | 0x4000;
const EXCLUDES = 0x8000 | 0x10000 | 0x20000;

/** Whether a frame starts at or before the current row, ends at or after it, and leaves nothing out. */
function holdsRow(options: number | undefined): boolean {
  return (
    options !== undefined &&
    (options & STARTS_BEFORE) !== 0 &&
    (options & ENDS_AFTER) !== 0 &&
    (options & EXCLUDES) === 0
  );
}

/** Whether a call is an aggregate by its name: every function of that name is one. */
export function isAggregate(
  { funcname, over }: Fields<"FuncCall">,
  { catalog }: Analysis,
): boolean {
  const named = catalog.functions(namesIn(funcname));
  return over === undefined && named.length > 0 && named.every(({ kind }) => kind === "aggregate");
}
