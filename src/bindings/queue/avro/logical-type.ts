import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { type MapNode, type SyntaxNode, textOf, valueOf } from "../../../core/syntax-node.js";
import { didYouMean } from "../../../schema/suggestion.js";

/** What a value of a simpler type means. */
export type LogicalType =
  | {
      readonly kind: "decimal";
      /** Digits in all. */
      readonly precision: number;
      /** Of them, behind the point. */
      readonly scale: number;
    }
  | { readonly kind: "date" | "uuid" | "duration" }
  | { readonly kind: "time"; readonly unit: "millis" | "micros" }
  | { readonly kind: "timestamp" | "local-timestamp"; readonly unit: TimeUnit };

export type TimeUnit = "millis" | "micros" | "nanos";

/** What a `logicalType` stands on: `fixed` has its size in bytes. */
interface Base {
  readonly name: string;
  readonly size?: number;
}

type Found = LogicalType | { readonly ignored: string };

const readers: { readonly [name: string]: (base: Base, node: MapNode) => Found } = {
  decimal: decimalOf,
  date: on("int", { kind: "date" }),
  "time-millis": on("int", { kind: "time", unit: "millis" }),
  "time-micros": on("long", { kind: "time", unit: "micros" }),
  "timestamp-millis": on("long", { kind: "timestamp", unit: "millis" }),
  "timestamp-micros": on("long", { kind: "timestamp", unit: "micros" }),
  "timestamp-nanos": on("long", { kind: "timestamp", unit: "nanos" }),
  "local-timestamp-millis": on("long", { kind: "local-timestamp", unit: "millis" }),
  "local-timestamp-micros": on("long", { kind: "local-timestamp", unit: "micros" }),
  "local-timestamp-nanos": on("long", { kind: "local-timestamp", unit: "nanos" }),
  uuid: (base) =>
    base.name === "string" || base.size === 16
      ? { kind: "uuid" }
      : { ignored: "a `uuid` is a `string` or a `fixed` of 16 bytes" },
  duration: (base) =>
    base.size === 12 ? { kind: "duration" } : { ignored: "a `duration` is a `fixed` of 12 bytes" },
};

/** Whether Avro's specification has a logical type of that name. */
export function isLogicalType(name: string): boolean {
  return Object.hasOwn(readers, name);
}

/** The logical type that a schema names. One that is used wrongly is ignored, as Avro has it, and reported. */
export function readLogicalType(
  node: MapNode,
  base: Base,
  report: Report,
): LogicalType | undefined {
  const written = valueOf(node, "logicalType");
  const name = textOf(written);
  if (written === undefined || name === undefined) return undefined;
  const reader = isLogicalType(name) ? readers[name] : undefined;
  const found = reader?.(base, node);
  if (found !== undefined && !("ignored" in found)) {
    if (found.kind === "decimal") checkDigits(found.precision, node, report);
    return found;
  }
  const help = found?.ignored ?? didYouMean(name, Object.keys(readers));
  // Makers of schemas add logical types of their own, which are the type below to everyone else.
  if (help !== undefined) reportIgnored(written, base, help, report);
  return undefined;
}

function reportIgnored(written: SyntaxNode, base: Base, help: string, report: Report): void {
  const type = base.size === undefined ? quote(base.name) : `\`fixed\` of ${base.size} bytes`;
  report.add({
    code: "queue/ignored-logical-type",
    span: written.span,
    message: `${quote(textOf(written) ?? "")} is ignored: the value is a plain ${type}`,
    help,
  });
}

function on(name: string, logical: LogicalType): (base: Base) => Found {
  const ignored = `a \`${"unit" in logical ? `${logical.kind}-${logical.unit}` : logical.kind}\` is \`{ "type": "${name}", … }\``;
  return (base) => (base.name === name && base.size === undefined ? logical : { ignored });
}

function decimalOf(base: Base, node: MapNode): Found {
  if (base.name !== "bytes" && base.size === undefined)
    return { ignored: "a `decimal` is `bytes` or `fixed`" };
  const precision = integerUnder(node, "precision");
  const scale = valueOf(node, "scale") === undefined ? 0 : integerUnder(node, "scale");
  if (precision === undefined || precision < 1)
    return { ignored: "a `decimal` needs a `precision`, of 1 at least" };
  if (scale === undefined || scale > precision)
    return { ignored: "the `scale` of a `decimal` is a whole number from 0 to its `precision`" };
  const most = base.size === undefined ? Infinity : mostDigits(base.size);
  if (precision > most)
    return { ignored: `${base.size} bytes hold every decimal of ${most} digits, not of more` };
  return { kind: "decimal", precision, scale };
}

/** As many as PostgreSQL lets a `numeric` declare, which is the most of any database. A value is written out to its scale for each message. */
const mostDigitsInAll = 1000;

function checkDigits(precision: number, node: MapNode, report: Report): void {
  if (precision <= mostDigitsInAll) return;
  report.add({
    code: "schema/too-large",
    span: (valueOf(node, "precision") ?? node).span,
    message: `a \`decimal\` has ${mostDigitsInAll} digits at most, and this one ${precision}`,
  });
}

function integerUnder(node: MapNode, key: string): number | undefined {
  const value = valueOf(node, key);
  const number = value?.kind === "scalar" ? value.value : undefined;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0
    ? number
    : undefined;
}

/** Digits of which every number fits into that many bytes, in two's complement. */
function mostDigits(size: number): number {
  return Math.floor(Math.log10(2) * (8 * size - 1));
}
