import type { Finding } from "../../../core/diagnostic.js";
import type { JsonSchema } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import { spanOfRest, spanOfType } from "../../../schema/schema-spans.js";
import type { Mismatch } from "../../../schema/compare/mismatch.js";
import { compare } from "../../../schema/compare/compare.js";
import { lookUp } from "../../../schema/look-up.js";
import { schemaAt } from "../../../schema/schema-tree.js";
import { mismatchCodes } from "../../mismatch-codes.js";
import { placeText } from "./follow-path.js";

/** What a response gives, and what `returns` says of it. */
export interface Given {
  readonly response: SchemaModel;
  readonly returns: SchemaModel;
  /** Of the schema of what is given, or of each item of it. */
  readonly pointer: string;
  readonly isList: boolean;
}

/**
 * Reports what `response_schema` allows and `returns` does not, once for each place: a call that meets such a value fails. Of a place that `response_schema`
 * says nothing of, nothing is told, nor of what a response may lack.
 */
export function checkNarrowing(given: Given, report: Report): void {
  const { isList, pointer, response, returns } = given;
  const each = schemaAt(response.schema, pointer);
  const schema: JsonSchema = isList ? { type: "array", items: each } : each;
  const found = compare(
    { schema, root: response.schema },
    { schema: returns.schema, root: returns.schema },
  );
  const told = new Set<string>();
  for (const mismatch of found.filter((one) => isSaid(one, returns))) {
    const place = JSON.stringify(mismatch.path);
    if (!told.has(place)) report.add(narrowing(mismatch, given));
    told.add(place);
  }
}

function isSaid(
  { isUnsaid, kind, path, promised, unseen }: Mismatch,
  returns: SchemaModel,
): boolean {
  if (unseen || isUnsaid || promised) return false;
  if (kind !== "unknown") return kind === "value";
  // An open object takes what is spelt like one of its names for another.
  return lookUp(returns, path, "stated").presence === "never";
}

function narrowing(mismatch: Mismatch, { returns, response }: Given): Finding {
  const { given, kind, known, ofNull, path, wanted } = mismatch;
  const place = path.length === 0 ? "the response" : quote(placeText(path));
  const fact = known?.kind === "type" ? `may be ${known.words}` : given;
  // That null may come says nothing of the other values, nor that a name may be there of those without it.
  const fit = ofNull || kind === "unknown" ? "some" : mismatch.fits;
  const pointer = lookUp(returns, path, "stated").schema ?? "";
  const at = { model: returns, pointer };
  return {
    code: mismatchCodes.http.returns[fit],
    span: kind === "unknown" ? spanOfRest(at, String(path.at(-1)), undefined) : spanOfType(at),
    message:
      kind === "unknown"
        ? `a response may have ${place}, which \`returns\` forbids`
        : `${place} ${fact} by \`response_schema\`, and \`returns\` ${wanted}`,
    help:
      fit === "no"
        ? "let both schemas say the same of it"
        : "let both schemas say the same of it: a call that meets another value fails",
    related: [{ span: response.span, message: "`response_schema`" }],
  };
}
