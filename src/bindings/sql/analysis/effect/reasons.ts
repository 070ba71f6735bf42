import { getOwn } from "../../../../core/json.js";
import { type Catalog, relationOf } from "../../database/catalog.js";
import { bodyOf, type Fields, type Kind, namesIn } from "../node.js";
import type { Resolution } from "../resolution.js";
import type { EffectReason } from "./effect-reason.js";
import type { Found } from "./every-node.js";
import type { Listed } from "./harmless.js";
import {
  castReasons,
  functionReasons,
  type Known,
  notationReasons,
  operatorReasons,
  operatorsIn,
  reason,
} from "./named-reasons.js";
import { READ_KINDS, WRITING } from "./read-kinds.js";

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
  RangeVar: (named, { catalog }) => {
    const relation = relationOf(named, catalog);
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

/** Why a node makes a statement a write; none when it only reads. */
export function reasonsOf(
  { kind, body }: Found,
  resolution: Resolution | undefined,
  catalog: Catalog,
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
  // The body stands under its kind's name in the tree, and a rule of that name takes such a body.
  const rule = getOwn(
    RULES as Readonly<
      Record<string, ((body: object, known: Known) => readonly EffectReason[]) | undefined>
    >,
    kind,
  );
  const reasons = rule?.(body, { resolution, catalog, listed }) ?? [];
  return rule === undefined && !READ_KINDS.has(kind)
    ? [reason("not-understood", kind, body)]
    : reasons;
}
