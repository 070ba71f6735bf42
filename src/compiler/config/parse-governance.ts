/**
 * Parses the governance of skillc.yaml. `governance-schema.ts` defines its keys.
 * `check/check-governance.ts` later checks that its tools, scopes and paths exist.
 */
import { type AnyObligationKind, obligationKinds, whyNoName } from "@skillc/runtime/internal";
import type {
  GrantModel,
  ObligationModel,
  ProjectGovernance,
  QuotaModel,
  ToolSelection,
  Written,
  WrittenAction,
  WrittenForms,
} from "../../core/governance-model.js";
import type { JsonObject } from "../../core/json.js";
import { quote } from "../../core/names.js";
import { amountOf, byteSize, faultOf } from "../../core/quantities.js";
import type { Report } from "../../core/report.js";
import type { Span } from "../../core/span.js";
import {
  entryOf,
  type MapNode,
  type ScalarNode,
  type SyntaxNode,
  textOf,
  valueOf,
} from "../../core/syntax-node.js";
import { checkShape } from "../../schema/check-shape.js";
import { stepsOf } from "../../schema/pointer.js";
import {
  budgetOwners,
  governanceKeySchemas,
  grantSchema,
  obligationSchema,
  quotaLimits,
  quotaSchema,
} from "./governance-schema.js";

/** Keys that turn on governance for a project. */
const governanceKeys: readonly string[] = Object.keys(governanceKeySchemas);

/**
 * Parses the governance; undefined if skillc.yaml has none of its keys. Invalid parts are reported
 * and left out.
 */
export function parseGovernance(settings: MapNode, report: Report): ProjectGovernance | undefined {
  if (!governanceKeys.some((key) => entryOf(settings, key) !== undefined)) return undefined;
  const { governance, ledger, store } = Object.fromEntries(
    (["governance", "store", "ledger"] as const).map((key) => [
      key,
      checkedText(settings, key, report),
    ]),
  );
  const capabilities = checkedList(settings, "capabilities", report);
  const approvalChannels = checkedList(settings, "approval_channels", report);
  const grants = itemsOf(settings, "grants", grantOf, report);
  const quotas = itemsOf(settings, "quotas", quotaOf, report) ?? [];
  const obligations = itemsOf(settings, "obligations", obligationOf, report) ?? [];
  reportSameNames(settings, "quotas", report);
  reportSameNames(settings, "obligations", report);
  return {
    strict: governance?.value === "strict",
    ...(capabilities && { capabilities }),
    ...(grants && { grants }),
    ...(approvalChannels && { approvalChannels }),
    quotas,
    obligations,
    ...(store && { store }),
    ...(ledger && { ledger }),
  };
}

function termsOf(subject: string) {
  return {
    subject,
    unknownKey: "config/unknown-key",
    missingKey: "config/missing-key",
    wrongType: "config/wrong-type",
    wrongValue: "config/wrong-value",
  } as const;
}

function isFitting(node: SyntaxNode, schema: JsonObject, subject: string, report: Report): boolean {
  return checkShape(node, schema, report, termsOf(subject));
}

function checkedText(
  settings: MapNode,
  key: "governance" | "store" | "ledger",
  report: Report,
): Written<string> | undefined {
  const node = valueOf(settings, key);
  if (node === undefined) return undefined;
  const name = textOf(node);
  if (key !== "governance" && name !== undefined && !isSetting.test(name)) {
    report.add({
      code: "config/wrong-value",
      span: node.span,
      message: `\`${key}\` must be the name of a setting`,
      // A URL may contain a password, so the help never repeats it.
      help: `write \`${key}: \${NAME}\`, and set its value like that of every other setting`,
    });
    return undefined;
  }
  return isFitting(node, governanceKeySchemas[key], `\`${key}\``, report)
    ? written(node)
    : undefined;
}

const isSetting = new RegExp(governanceKeySchemas.store.pattern);

function checkedList(
  settings: MapNode,
  key: keyof typeof listTerms,
  report: Report,
): readonly Written<string>[] | undefined {
  const node = valueOf(settings, key);
  if (node === undefined) return undefined;
  const { form, help, noun } = listTerms[key];
  for (const item of node.kind === "list" ? node.items : []) {
    const text = textOf(item);
    if (text === undefined || form.test(text)) continue;
    report.add({
      code: "config/wrong-value",
      span: item.span,
      message: `${quote(text)} is not ${noun}`,
      help,
    });
    return [];
  }
  isFitting(node, governanceKeySchemas[key], `\`${key}\``, report);
  return textsIn(node);
}

/** Forms of the items of lists, with what a diagnostic says about another form. */
const listTerms = {
  capabilities: {
    form: new RegExp(governanceKeySchemas.capabilities.items.pattern),
    noun: "a capability",
    help: "write an action and a target: `net.http:get ${ORDERS_URL}/orders`, `sql:read ${WAREHOUSE_URL} public.orders`, `queue:send kafka orders.created`, `proc.exec git`, `fs.read ./workspace`",
  },
  approval_channels: {
    form: new RegExp(governanceKeySchemas.approval_channels.items.pattern),
    noun: "the name of a channel",
    help: "write a lower-case letter, then letters, digits, `_`, `.` and `-`: `terminal`, `chat`; for an OAuth client `elicitation:CLIENT_ID`",
  },
} as const;

/**
 * Reads the items of a list; undefined if the key is absent. Invalid items are reported and left
 * out.
 */
function itemsOf<Model>(
  settings: MapNode,
  key: "grants" | "quotas" | "obligations",
  read: (node: SyntaxNode, report: Report) => Model | undefined,
  report: Report,
): readonly Model[] | undefined {
  const node = valueOf(settings, key);
  if (node === undefined) return undefined;
  if (node.kind !== "list") {
    isFitting(node, { type: "array" }, `\`${key}\``, report);
    return [];
  }
  return node.items.flatMap((item) => read(item, report) ?? []);
}

function grantOf(node: SyntaxNode, report: Report): GrantModel | undefined {
  const to = valueOf(node, "to");
  if (to?.kind === "map" && to.entries.length > 1) {
    const [, second = to] = to.entries.map(({ key }) => key);
    report.add({
      code: "config/wrong-value",
      span: second.span,
      message: "a grant names exactly one of `subject`, `role` and `tenant`",
      help: "write one grant for each of them",
    });
    return undefined;
  }
  if (!isFitting(node, grantSchema, "a grant", report)) return undefined;
  const kind = (["subject", "role", "tenant"] as const).find((each) => valueOf(to, each));
  const name = kind && textOf(valueOf(to, kind));
  if (kind === undefined || name === undefined) return undefined;
  const subject = valueOf(to, kind);
  if (subject !== undefined) reportNoName(subject, report);
  const scopes = scopesUnder(node, "scopes", report);
  return { span: node.span, to: { kind, name }, scopes, ...selectionOf(node) };
}

function scopesUnder(node: SyntaxNode, key: string, report: Report): readonly Written<string>[] {
  const list = valueOf(node, key);
  if (list?.kind === "list") for (const each of list.items) reportNoName(each, report);
  return textsIn(list);
}

/** Reports a grant to a name that no caller can have. */
function reportNoName(node: SyntaxNode, report: Report): void {
  const why = whyNoName(textOf(node));
  if (why === undefined) return;
  report.add({
    code: "config/wrong-value",
    span: node.span,
    message: `no caller can have this name or scope: it ${why}`,
    help: "write it exactly as callers have it",
  });
}

function quotaOf(node: SyntaxNode, report: Report): QuotaModel | undefined {
  for (const key of ["bytes_in_per_day", "bytes_out_per_day"]) {
    const size = valueOf(node, key);
    const text = textOf(size);
    if (size === undefined || text === undefined || amountOf(byteSize, text)) continue;
    const { help, problem } = faultOf(byteSize, text);
    const message = `${quote(key)} ${problem}`;
    report.add({ code: "config/wrong-value", span: size.span, message, help });
    return undefined;
  }
  if (!isFitting(node, quotaSchema, "a quota", report)) return undefined;
  if (!Object.keys(quotaLimits).some((key) => valueOf(node, key))) {
    report.add({
      code: "config/missing-key",
      span: spanOfName(node),
      message: "this quota limits nothing",
      help: `give it one of ${Object.keys(quotaLimits).map(quote).join(", ")}`,
    });
    return undefined;
  }
  const per = valueOf(node, "per");
  const owners = new Set(textsIn(per).map(({ value }) => value));
  return {
    span: node.span,
    name: textOf(valueOf(node, "name")) ?? "",
    per: per === undefined ? ["tenant", "tool"] : budgetOwners.filter((each) => owners.has(each)),
    ...limit(node, "calls_per_minute", "callsPerMinute"),
    ...limit(node, "calls_per_day", "callsPerDay"),
    ...limit(node, "cost_per_day", "costPerDay"),
    ...limit(node, "bytes_in_per_day", "bytesInPerDay"),
    ...limit(node, "bytes_out_per_day", "bytesOutPerDay"),
    ...limit(node, "concurrent", "concurrent"),
    ...selectionOf(node),
  };
}

function limit<Key extends string>(
  node: SyntaxNode,
  key: keyof typeof quotaLimits,
  name: Key,
): { readonly [Name in Key]?: number } {
  const value = valueOf(node, key);
  const written = value?.kind === "scalar" ? value.value : undefined;
  const amount = key === "cost_per_day" ? written : amountOf(byteSize, written);
  // TypeScript widens a computed key to an index signature, but there is no other key.
  return typeof amount === "number"
    ? ({ [name]: amount } as { readonly [Name in Key]: number })
    : {};
}

function obligationOf(node: SyntaxNode, report: Report): ObligationModel | undefined {
  const at = valueOf(node, "at");
  if (textOf(at)?.startsWith("/") === false && textOf(at) !== "") {
    report.add({
      code: "config/wrong-value",
      span: at?.span ?? node.span,
      message: "`at` is not a JSON Pointer",
      help: `write the path in the data: ${quote(`/${(textOf(at) ?? "").replace(/^\$?\.?/, "").replaceAll(".", "/")}`)}`,
    });
    return undefined;
  }
  if (!isFitting(node, obligationSchema, "an obligation", report)) return undefined;
  const action = actionOf(node);
  return (
    action && {
      span: node.span,
      name: textOf(valueOf(node, "name")) ?? "",
      action,
      unless: scopesUnder(node, "unless", report),
      ...selectionOf(node),
    }
  );
}

function actionOf(node: SyntaxNode): WrittenAction | undefined {
  const name = textOf(valueOf(node, "do"));
  const kinds: readonly AnyObligationKind[] = Object.values(obligationKinds);
  const kind = kinds.find((each) => each.do === name);
  if (kind === undefined) return undefined;
  const keys = Object.entries(kind.keys).map(([key, { form }]) => {
    const value = valueOf(node, key);
    return [key, value && readKey[form](value)] as const;
  });
  if (keys.some(([, value]) => value === undefined)) return undefined;
  // The loop reads every key of the kind in its form.
  return { do: kind.do, ...Object.fromEntries(keys) } as WrittenAction;
}

/** Reads a key of an obligation, by the key's form. */
const readKey: {
  readonly [Form in keyof WrittenForms]: (node: SyntaxNode) => WrittenForms[Form] | undefined;
} = {
  place(node) {
    const steps = stepsOf(textOf(node) ?? "");
    return steps && { ...written(node), steps };
  },
  pattern: written,
  text: (node) => textOf(node),
};

function selectionOf(node: SyntaxNode): ToolSelection {
  return { tools: textsIn(valueOf(node, "tools")), tags: textsIn(valueOf(node, "tags")) };
}

function written(node: SyntaxNode): Written<string> {
  return { value: textOf(node) ?? "", span: node.span };
}

function textsIn(node: SyntaxNode | undefined): readonly Written<string>[] {
  const items = node?.kind === "list" ? node.items : [];
  return items.filter((each): each is ScalarNode => textOf(each) !== undefined).map(written);
}

/**
 * Reports quotas, or obligations, with the same name, because errors and decisions refer to them by
 * name.
 */
function reportSameNames(settings: MapNode, key: "quotas" | "obligations", report: Report): void {
  const list = valueOf(settings, key);
  const first = new Map<string, Span>();
  for (const item of list?.kind === "list" ? list.items : []) {
    const node = valueOf(item, "name");
    const name = textOf(node);
    if (node === undefined || name === undefined) continue;
    const other = first.get(name);
    first.set(name, other ?? node.span);
    if (other === undefined) continue;
    report.add({
      code: "config/name-twice",
      span: node.span,
      message: `two entries of \`${key}\` have the name ${quote(name)}`,
      help: "rename one of the two: errors and decisions use the names",
      related: [{ span: other, message: "the other is here" }],
    });
  }
}

function spanOfName(node: SyntaxNode): Span {
  return valueOf(node, "name")?.span ?? node.span;
}
