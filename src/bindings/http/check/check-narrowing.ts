import type { Finding } from "../../../core/diagnostic.js";
import type { JsonSchema } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import { spanOfRest, spanOfType } from "../../../schema/blame.js";
import type { Misfit } from "../../../schema/fit/misfit.js";
import { misfits } from "../../../schema/fit/misfits.js";
import { lookUp } from "../../../schema/look-up.js";
import { schemaAt } from "../../../schema/schema-at.js";
import { misfitCodes } from "../../misfit-codes.js";
import { placeText } from "../follow-path.js";

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
  const found = misfits(
    { schema, root: response.schema },
    { schema: returns.schema, root: returns.schema },
  );
  const told = new Set<string>();
  for (const misfit of found.filter((one) => isSaid(one, returns))) {
    const place = JSON.stringify(misfit.path);
    if (!told.has(place)) report.add(narrowing(misfit, given));
    told.add(place);
  }
}

function isSaid({ isUnsaid, kind, path, unseen }: Misfit, returns: SchemaModel): boolean {
  if (unseen || isUnsaid) return false;
  if (kind !== "unknown") return kind === "value";
  // An open object takes what is spelt like one of its names for another.
  return lookUp(returns, path, "stated").presence === "never";
}

function narrowing(misfit: Misfit, { returns, response }: Given): Finding {
  const { given, kind, known, ofNull, path, wanted } = misfit;
  const place = path.length === 0 ? "the response" : quote(placeText(path));
  const fact = known?.kind === "type" ? `may be ${known.words}` : given;
  // That null may come says nothing of the other values, nor that a name may be there of those without it.
  const fit = ofNull || kind === "unknown" ? "some" : misfit.fit;
  const pointer = lookUp(returns, path, "stated").schema ?? "";
  const at = { model: returns, pointer };
  return {
    code: misfitCodes.http.returns[fit],
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
