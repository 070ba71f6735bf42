import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import type { Mismatch } from "../../../schema/compare/mismatch.js";
import { literalText, loneParameter } from "../../text-template.js";
import { mismatchCodes } from "../../mismatch-codes.js";
import type { ValueNode } from "../../values/model.js";
import type { MessageSchema } from "../message-schema.js";
import type { CheckedMessage } from "./checked-message.js";
import { nameOf, placeOf, typeAt } from "./field-words.js";
import { keywordsAsWritten } from "./keyword-help.js";
import type { Written } from "./node-at.js";
import { isPartlyKnown } from "./text-in-part.js";

/** A value that a field can't take, or may not. */
export function reportValue(
  mismatch: Mismatch,
  at: Written,
  { schema, tool }: CheckedMessage,
  report: Report,
): void {
  const { path } = mismatch;
  report.add({
    code: mismatchCodes.queue.value[mismatch.fits],
    span: at.span,
    message: `${factOf(mismatch, at)}, and ${fieldAndWish(mismatch, schema)}`,
    help: helpOf(mismatch, at, typeAt(schema, path), tool),
    related: placeOf(schema, path),
  });
}

/** What is the matter with a name is told of the object that has it. */
function factOf(mismatch: Mismatch, at: Written): string {
  const { given, kind, known } = mismatch;
  const whose = subjectOf(at.node);
  const place = kind === "unknown" || kind === "missing" ? at.inside.slice(0, -1) : at.inside;
  const inside = place.length === 0 ? "" : ` at ${quote(place.join("."))}`;
  const name = quote(String(at.inside.at(-1)));
  if (kind === "unknown") return `${whose}${inside} may have ${name}`;
  if (kind === "missing") return `${whose}${inside} declares no ${name}`;
  if (isPartlyKnown(at) && known?.kind === "any-text")
    return mismatch.fits === "no"
      ? "this text is another whatever its parameters are"
      : "this text is known in part";
  return isWritten(at) ? asWritten(mismatch, at) : `${whose}${inside} ${given}`;
}

function fieldAndWish({ kind, path, wanted }: Mismatch, schema: MessageSchema): string {
  return kind === "unknown"
    ? `${nameOf(schema, path.slice(0, -1))} has no such field`
    : `${nameOf(schema, path)} ${wanted}`;
}

function isWritten({ inside, node }: Written): boolean {
  return (
    inside.length === 0 && (node.kind !== "template" || loneParameter(node.template) === undefined)
  );
}

/** What is written is so; only what is passed may be. What is told its type needs no other noun. */
function asWritten({ given, known }: Mismatch, at: Written): string {
  const subject = subjectOf(at.node);
  if (known?.kind === "type") return `this is ${known.words}`;
  return known?.kind === "size" ? `${subject} has ${known.words}` : `${subject} ${given}`;
}

export function subjectOf(node: ValueNode): string {
  if (node.kind === "list") return "this list";
  if (node.kind === "map") return "this object";
  const alone = node.kind === "template" ? loneParameter(node.template) : undefined;
  return alone === undefined ? "this value" : quote(alone.path.join("."));
}

/** Only of a parameter there is a schema that could say more. */
function helpOf(
  { help, known, state }: Mismatch,
  { node }: Written,
  type: string | undefined,
  tool: ToolModel,
): string | undefined {
  if (node.kind !== "template") return undefined;
  if (literalText(node.template) !== undefined) return help;
  if (loneParameter(node.template) === undefined) return "let one parameter hold the whole value";
  if (state === undefined) return help;
  const { file } = tool.parameters.span;
  const write = `write ${keywordsAsWritten(state, file)}`;
  if (!isLong(type) || known?.kind !== "any-text") return write;
  return `declare ${keywordsAsWritten({ type: "integer" }, file)}, or ${write}`;
}

/** Avro's name, and Protobuf's. */
function isLong(type: string | undefined): boolean {
  return type !== undefined && /^(?:long|[su]?int64|s?fixed64)$/.test(type);
}
