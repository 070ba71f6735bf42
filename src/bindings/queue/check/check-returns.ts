import { getOwn, type JsonObject, type JsonSchema } from "../../../core/json.js";
import type { UnratedDiagnostic } from "../../../core/diagnostic.js";
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import { acceptor } from "../../../schema/compare/values.js";
import { looseBranches } from "../../../schema/compare/normal-form.js";
import { spanOfRequired, spanOfRest, spanOfType } from "../../../schema/schema-spans.js";
import { lookUp, propertyNames } from "../../../schema/look-up.js";
import { isCertain, type Mismatch } from "../../../schema/compare/mismatch.js";
import { compare } from "../../../schema/compare/compare.js";
import { isSpeltAlike } from "../../../schema/compare/compare-parts.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { mismatchCodes } from "../../../kit/mismatch-codes.js";
import type { QueueConfig } from "../model.js";
import type { ReceiptField } from "../providers/provider.js";
import { providerNamed } from "../providers/registry.js";

/** The provider's receipt, which is the result of a tool without `returns`. */
interface Receipt {
  /** Title of the provider: `Kafka`. */
  readonly provider: string;
  readonly fields: Readonly<Record<string, ReceiptField>>;
}

/**
 * Checks that the receipt fits `returns`. Otherwise a call would fail after the broker has the
 * message.
 */
export function checkReturns(returns: SchemaModel, config: QueueConfig, report: Report): void {
  const { receiptOf, title } = providerNamed(config.provider.name);
  const receipt: Receipt = { provider: title, fields: receiptOf(config) };
  const given = receiptSchema(receipt, returns);
  const { schema } = returns;
  const all = compare({ schema: given, root: given }, { schema, root: schema });
  // Uncertain mismatches are checked by examples instead.
  const found = all.filter(isCertain);
  for (const each of found) report.add(mismatch(each, receipt, returns));
  if (found.length === 0) checkExamples(receipt, returns, report);
}

function receiptSchema({ fields }: Receipt, returns: SchemaModel): JsonObject {
  const properties = Object.entries(fields).map(
    ([name, { schema }]) => [name, schema ?? someText(returns, name)] as const,
  );
  return {
    type: "object",
    additionalProperties: false,
    required: Object.keys(fields).filter((name) => !getOwn(fields, name)?.isOptional),
    properties: Object.fromEntries(properties),
  };
}

/**
 * Schema for a name that each call builds. If `returns` allows text there, skillc trusts it,
 * whatever its other keywords.
 */
function someText(returns: SchemaModel, name: string): JsonSchema {
  return lookUp(returns, [name], "stated").types.includes("string") ? false : { type: "string" };
}

function mismatch(mismatch: Mismatch, receipt: Receipt, returns: SchemaModel): UnratedDiagnostic {
  const { given, kind, known, path, wanted } = mismatch;
  const [name] = path.map(String);
  const at = { model: returns, pointer: "" };
  const help = helpOf(receipt);
  const diagnostic = { code: mismatchCodes.queue.returns[mismatch.fits], help };
  if (name === undefined || kind === "value") {
    const what = name === undefined ? `a receipt of ${receipt.provider}` : quote(name);
    const fact = known?.kind === "type" ? `is ${known.words}` : given;
    const message = `${what} ${fact}, but \`returns\` ${wanted}`;
    return {
      ...diagnostic,
      span: spanOfType({ ...at, pointer: pointerTo(returns, path) }),
      message,
    };
  }
  const other = kind === "missing" ? name : alikeIn(returns, name);
  if (other !== undefined) return noSuchField(other, receipt, returns);
  const { provider } = receipt;
  const [which, has] = getOwn(receipt.fields, name)?.isOptional
    ? ["a", "may have"]
    : ["every", "has"];
  const message = `${which} receipt of ${provider} ${has} ${quote(name)}, but \`returns\` forbids it`;
  return { ...diagnostic, span: spanOfRest(at, name, undefined), message };
}

/**
 * Returns a field of `returns` whose name differs from this one only in spelling, if `returns`
 * allows this name too.
 */
function alikeIn(returns: SchemaModel, name: string): string | undefined {
  if (lookUp(returns, [name], "stated").presence === "never") return undefined;
  return propertyNames(returns, [], "stated").find((each) => isSpeltAlike(each, name));
}

function noSuchField(name: string, receipt: Receipt, returns: SchemaModel): UnratedDiagnostic {
  const { presence } = lookUp(returns, [name], "stated");
  const verb = presence === "always" ? "requires" : "describes";
  const which = getOwn(receipt.fields, name) === undefined ? "no" : "not every";
  const meant = which === "no" ? didYouMean(name, Object.keys(receipt.fields)) : undefined;
  return {
    code: "queue/returns-mismatch",
    span: spanOfRequired({ model: returns, pointer: "" }, name, pointerTo(returns, [name])),
    message: `\`returns\` ${verb} ${quote(name)}, but ${which} receipt of ${receipt.provider} has it`,
    help: meant ?? helpOf(receipt),
  };
}

function pointerTo(returns: SchemaModel, path: Mismatch["path"]): string {
  return lookUp(returns, path, "stated").schema ?? "";
}

/**
 * Checks example receipts, which also covers conditions, negations and counts. Only the set of
 * fields is the same in every receipt, so a rejected example proves a mismatch only if its fields
 * are the reason.
 */
function checkExamples(receipt: Receipt, returns: SchemaModel, report: Report): void {
  if (Object.values(receipt.fields).some(({ schema }) => schema === undefined)) return;
  const { schema } = returns;
  const accepts = acceptor({ schema, root: schema });
  const examples = [0, 1].map((index) => exampleOf(receipt, index, index > 0));
  const refused = examples.find((each) => !accepts(each));
  if (refused === undefined) return;
  const isByFields = refusesFields(receipt, returns);
  report.add({
    code: mismatchCodes.queue.returns[isByFields ? "no" : "some"],
    span: getOwn(returns.places, "") ?? returns.span,
    message: `\`returns\` rejects receipts of ${receipt.provider}, such as \`${shown(JSON.stringify(refused))}\``,
    help: helpOf(receipt),
  });
}

function exampleOf({ fields }: Receipt, index: number, isFull: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, { isOptional }]) => isFull || !isOptional)
      .map(([name, { examples }]) => [name, examples[index] ?? null]),
  );
}

/**
 * Returns whether `returns` rejects receipts because of the number of their fields, with or without
 * the optional ones.
 */
function refusesFields({ fields }: Receipt, { schema }: SchemaModel): boolean {
  const names = Object.keys(fields).filter((name) => !getOwn(fields, name)?.isOptional);
  const counts = [names.length, Object.keys(fields).length];
  return looseBranches(schema, schema).every((form) => {
    if (form === true) return false;
    const { maxProperties: most = Infinity, minProperties: least = 0 } = form;
    return counts.some((count) => count > Number(most) || count < Number(least));
  });
}

function helpOf({ fields, provider }: Receipt): string {
  const members = Object.entries(fields).map(
    ([name, { isOptional, type }]) => `${name}${isOptional ? "?" : ""}: ${type}`,
  );
  return `a receipt of ${provider} is \`{ ${members.join(", ")} }\`; without \`returns\`, the tool has that type`;
}
