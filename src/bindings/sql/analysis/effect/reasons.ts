/**
 * Finds the reasons why one node makes a statement a write: its kind, or the functions, operators
 * and casts that its names may refer to.
 */
import { getOwn } from "../../../../core/json.js";
import { type PgCatalog, qualifiedName, relationOf } from "../../database/pg-catalog.js";
import type { Operator, PgFunction } from "../../database/snapshot.js";
import {
  bodyOf,
  type Fields,
  type NodeWithKind,
  type Kind,
  locationOf,
  namesIn,
} from "../../statement/tree.js";
import type { Resolution } from "../resolution.js";
import { typeOfName, unwrapDomain } from "../value-type.js";
import type { EffectReason } from "./effect-reason.js";
import { READS_AS_TYPE, typeText } from "./evaluated.js";
import {
  isSideEffectFree,
  type Listed,
  remedyFor,
  type SideEffectsBehind,
  sideEffectsBehind,
} from "./side-effects.js";

type Rule<K extends Kind> = (fields: Fields<K>, known: Known) => readonly EffectReason[];

const RULES: { readonly [K in Kind]?: Rule<K> } = {
  FuncCall: functionReasons,
  A_Expr: (expr, known) => operatorReasons(expr, operatorsIn(expr), known),
  SubLink: (link, known) =>
    link.testexpr === undefined
      ? []
      : operatorReasons(
          link,
          [link.operName === undefined ? ["="] : namesIn(link.operName)],
          known,
        ),
  CaseExpr: ({ arg, args = [] }, known) =>
    arg === undefined ? [] : args.flatMap((each) => operatorReasons(bodyOf(each), [["="]], known)),
  JoinExpr: (join, known) =>
    join.isNatural === true || join.usingClause !== undefined
      ? operatorReasons(join, [["="]], known)
      : [],
  SortBy: (sort, known) =>
    sort.useOp === undefined ? [] : operatorReasons(sort, [namesIn(sort.useOp)], known),
  TypeCast: castReasons,
  ColumnRef: (reference, known) =>
    (reference.fields ?? []).length < 2 || known.resolution?.references.has(reference) === true
      ? []
      : notationReasons(namesIn(reference.fields).at(-1), reference, known),
  A_Indirection: (part, known) =>
    namesIn(part.indirection).flatMap((name) => notationReasons(name, part, known)),
  RangeTableSample: ({ method, ...node }) => {
    const name = namesIn(method).join(".");
    return ["bernoulli", "system"].includes(name) ? [] : [reason("sample", name, node)];
  },
  RangeVar: (named, { pgCatalog }) => {
    const relation = relationOf(named, pgCatalog);
    return relation?.program === true
      ? [reason("program", `${relation.schema}.${relation.name}`, named)]
      : [];
  },
  IntoClause: ({ rel }) => [reason("into", "INTO", rel ?? {})],
  LockingClause: ({ strength = "", lockedRels = [] }) => [
    reason(
      "lock",
      LOCKS.get(strength) ?? "FOR UPDATE",
      lockedRels[0] === undefined ? {} : bodyOf(lockedRels[0]),
    ),
  ],
};

const LOCKS: ReadonlyMap<string, string> = new Map([
  ["LCS_FORKEYSHARE", "FOR KEY SHARE"],
  ["LCS_FORSHARE", "FOR SHARE"],
  ["LCS_FORNOKEYUPDATE", "FOR NO KEY UPDATE"],
  ["LCS_FORUPDATE", "FOR UPDATE"],
]);

/** Finds the reasons why a node makes a statement a write; empty if it only reads. */
export function reasonsOf(
  { kind, body }: NodeWithKind,
  resolution: Resolution | undefined,
  pgCatalog: PgCatalog,
  listed: Listed,
): readonly EffectReason[] {
  const writing = WRITING.get(kind);
  if (writing !== undefined) {
    const { relation }: { relation?: unknown } = body;
    return [
      reason(
        "modifies",
        writing,
        typeof relation === "object" && relation !== null ? relation : {},
      ),
    ];
  }
  // A node's kind determines its fields, and each rule is stored under its kind.
  const rule = getOwn(
    RULES as Readonly<
      Record<string, ((body: object, known: Known) => readonly EffectReason[]) | undefined>
    >,
    kind,
  );
  const reasons = rule?.(body, { resolution, pgCatalog, listed }) ?? [];
  return rule === undefined && !READ_KINDS.has(kind)
    ? [reason("not-understood", kind, body)]
    : reasons;
}

/** Context for classifying a node. */
interface Known {
  readonly resolution: Resolution | undefined;
  readonly pgCatalog: PgCatalog;
  readonly listed: Listed;
}

function reason(kind: EffectReason["kind"], name: string, at: object): EffectReason {
  const location = locationOf(at);
  return { kind, name, ...(location === undefined ? {} : { location }) };
}

/**
 * Every function that a call may refer to must be free of side effects. An unknown function may
 * have side effects.
 */
function functionReasons(
  call: Fields<"FuncCall">,
  { resolution, pgCatalog, listed }: Known,
): readonly EffectReason[] {
  const path = namesIn(call.funcname);
  const chosen: readonly PgFunction[] = [...(resolution?.functions.get(call) ?? [])];
  const candidates = chosen.length > 0 ? chosen : pgCatalog.functions(path);
  // `text(x)` is a cast to a built-in type.
  const isCast = candidates.length === 0 && pgCatalog.typeNamed(path)?.builtIn === true;
  if (READS_AS_TYPE.has(path.at(-1) ?? "") && typeText(call.args ?? []) === undefined)
    return [reason("function", path.join("."), call)];
  if (candidates.length === 0) return isCast ? [] : [reason("function", path.join("."), call)];
  return callReasons(path.join("."), call, candidates, listed);
}

function callReasons(
  name: string,
  node: object,
  candidates: readonly PgFunction[],
  listed: Listed,
): readonly EffectReason[] {
  const acting = candidates.filter((each) => !isSideEffectFree(each, listed));
  if (acting.length === 0) return [];
  return [{ ...reason("function", name, node), ...remedyIn(acting, listed) }];
}

/** Makes the reason for a function that PostgreSQL calls implicitly. */
export function functionReason(each: PgFunction, listed: Listed): EffectReason {
  return { kind: "function", name: qualifiedName(each), ...remedyIn([each], listed) };
}

function remedyIn(acting: readonly PgFunction[], listed: Listed): Pick<EffectReason, "remedy"> {
  const remedy = remedyFor(acting, listed);
  return remedy === undefined ? {} : { remedy };
}

/** `row.name` means `name(row)` if the row has no column of that name. */
function notationReasons(
  name: string | undefined,
  node: object,
  { pgCatalog, listed }: Known,
): readonly EffectReason[] {
  const called = pgCatalog.functions([name ?? ""]).filter((each) => takesRow(each, pgCatalog));
  return callReasons(name ?? "", node, called, listed);
}

function takesRow(
  { arguments: [first, ...others], defaults }: PgFunction,
  pgCatalog: PgCatalog,
): boolean {
  const kind = first === undefined ? undefined : pgCatalog.typeOf(first)?.kind;
  return (
    others.length <= defaults && (kind === "composite" || kind === "pseudo" || kind === "domain")
  );
}

const BETWEEN: Readonly<Record<string, readonly (readonly string[])[]>> = {
  AEXPR_BETWEEN: [[">="], ["<="]],
  AEXPR_BETWEEN_SYM: [[">="], ["<="]],
  AEXPR_NOT_BETWEEN: [["<"], [">"]],
  AEXPR_NOT_BETWEEN_SYM: [["<"], [">"]],
};

function operatorsIn({
  kind = "AEXPR_OP",
  name,
}: Fields<"A_Expr">): readonly (readonly string[])[] {
  return getOwn(BETWEEN, kind) ?? [namesIn(name)];
}

function operatorReasons(
  node: object,
  paths: readonly (readonly string[])[],
  { resolution, pgCatalog, listed }: Known,
): readonly EffectReason[] {
  const chosen: readonly Operator[] = [...(resolution?.operators.get(node) ?? [])];
  return paths.flatMap((path) => {
    const named = chosen.filter(({ name }) => name === path.at(-1));
    const candidates = named.length > 0 ? named : pgCatalog.operators(path);
    const oids = candidates.flatMap((each) => [each.function, ...(each.instead ?? [])]);
    return reasonBehind(
      reason("operator", path.join("."), node),
      sideEffectsBehind(pgCatalog, oids, listed),
      listed,
    );
  });
}

/**
 * Finds the functions of a written cast, including a cast of elements. A literal is parsed as its
 * type without a cast.
 */
function castReasons(
  cast: Fields<"TypeCast">,
  { resolution, pgCatalog, listed }: Known,
): readonly EffectReason[] {
  const target = typeOfName(pgCatalog, cast.typeName);
  const from = resolution?.casts.get(cast);
  if (target === undefined || from === "literal") return [];
  const elementOf = (oid: number) => pgCatalog.typeOf(oid)?.element ?? oid;
  const to = unwrapDomain(pgCatalog, target);
  const sources = typeof from === "number" ? new Set([from, elementOf(from)]) : undefined;
  const casts = [...pgCatalog.castsTo(to), ...pgCatalog.castsTo(elementOf(to))];
  const oids = casts
    .filter((each) => each.function !== 0 && (sources === undefined || sources.has(each.source)))
    .map((each) => each.function);
  const name = pgCatalog.typeOf(target)?.name ?? "";
  return reasonBehind(
    reason("cast", name, cast),
    sideEffectsBehind(pgCatalog, oids, listed),
    listed,
  );
}

/** Makes a reason if there are functions for it. */
function reasonBehind(
  reason: EffectReason,
  { functions, unknown }: SideEffectsBehind,
  listed: Listed,
): readonly EffectReason[] {
  const names = [...new Set([...functions.map(qualifiedName), ...unknown])];
  if (names.length === 0) return [];
  const remedy = unknown.length === 0 ? remedyIn(functions, listed) : {};
  return [{ ...reason, functions: names, ...remedy }];
}

/**
 * Finds users' casts that PostgreSQL may apply implicitly. A cast counts if the statement or its
 * views have values of the cast's own types. Such reasons have no position.
 */
export function implicitCasts(
  pgCatalog: PgCatalog,
  { types, views }: Resolution,
  listed: Listed,
): readonly EffectReason[] {
  const seen = new Set([...types, ...[...views.values()].flatMap((each) => [...each.types])]);
  const typeName = (oid: number) => pgCatalog.typeOf(oid)?.name ?? String(oid);
  return pgCatalog.foreignImplicitCasts.flatMap((each): readonly EffectReason[] => {
    const own = [each.source, each.target].filter((oid) => pgCatalog.typeOf(oid)?.builtIn !== true);
    const used = own.length === 0 || own.some((oid) => seen.has(oid));
    const name = `${typeName(each.source)} as ${typeName(each.target)}`;
    return used
      ? reasonBehind(
          { kind: "cast", name },
          sideEffectsBehind(pgCatalog, [each.function], listed),
          listed,
        )
      : [];
  });
}

/**
 * Kinds of nodes that a read may contain. Any other kind makes the statement a write, so that new
 * kinds are writes too.
 */
const READ_KINDS: ReadonlySet<string> = new Set(
  [
    "SelectStmt ResTarget ColumnRef A_Star String Integer Float Boolean BitString A_Const ParamRef List",
    "A_Expr BoolExpr NullTest BooleanTest SubLink CaseExpr CaseWhen CoalesceExpr MinMaxExpr RowExpr A_ArrayExpr A_Indirection A_Indices",
    "TypeCast TypeName CollateClause FuncCall NamedArgExpr WindowDef SortBy SQLValueFunction GroupingFunc GroupingSet SetToDefault",
    "RangeVar Alias RangeSubselect RangeFunction RangeTableSample RangeTableFunc RangeTableFuncCol JoinExpr ColumnDef",
    "WithClause CommonTableExpr CTESearchClause CTECycleClause",
    "XmlExpr XmlSerialize JsonTable JsonTableColumn JsonTablePathSpec JsonFormat JsonReturning JsonOutput JsonValueExpr JsonArgument JsonFuncExpr",
    "JsonBehavior JsonKeyValue JsonIsPredicate JsonParseExpr JsonScalarExpr JsonSerializeExpr JsonObjectConstructor JsonArrayConstructor",
    "JsonArrayQueryConstructor JsonAggConstructor JsonObjectAgg JsonArrayAgg",
    // Parts of statements that write. The statement is the reason, so its parts are not.
    "MergeWhenClause MergeSupportFunc MultiAssignRef IndexElem ReturningOption CurrentOfExpr",
  ].flatMap((line) => line.split(" ")),
);

/** Kinds of nodes that write, with their command. */
const WRITING: ReadonlyMap<string, string> = new Map([
  ["InsertStmt", "INSERT"],
  ["UpdateStmt", "UPDATE"],
  ["DeleteStmt", "DELETE"],
  ["MergeStmt", "MERGE"],
  ["TruncateStmt", "TRUNCATE"],
]);
