import type { JsonType } from "../../../schema/look-up.js";
import { itemPaths, lookUp, propertyNames } from "../../../schema/look-up.js";
import { factsOf } from "../../../kit/coverage.js";
import { loneParameter, type ParameterPart } from "../../../kit/text-template.js";
import { typeWords } from "../../../kit/type-words.js";
import {
  checkScalars,
  isScalar,
  type CheckContext,
  reportParameter,
} from "../../../kit/values/check-value.js";
import type { ScalarModel } from "../../../kit/values/model.js";
import type { StyleModel } from "../model.js";

/** Checks the value of an entry with a style. Only a lone parameter may be a list or an object. */
export function checkStyled(
  place: CheckContext,
  value: ScalarModel<"caller">,
  style: StyleModel,
): void {
  const alone = value.kind === "template" ? loneParameter(value.template) : undefined;
  if (alone === undefined) checkScalars(place, value, "text");
  else checkStyle(place, alone, style);
}

/** Lists and objects of scalars fit every style; `deepObject` also accepts nested ones. */
export function checkStyle(place: CheckContext, part: ParameterPart, style: StyleModel): void {
  const types = factsOf(place.tool, part)?.types;
  if (types === undefined || style.name === "deepObject") return;
  const { parameters } = place.tool;
  const inside = [
    ...(types.includes("array") ? itemPaths(parameters, part.path) : []),
    ...propertyNames(parameters, part.path).map((name) => [...part.path, name]),
  ].map((at) => lookUp(parameters, at));
  const odd = inside
    .filter(({ known }) => known)
    .flatMap((facts) => facts.types.filter((type) => !isScalar(type) && type !== "null"));
  if (odd.length === 0) return;
  const found: readonly JsonType[] = [...new Set(odd)];
  const message = `may contain ${typeWords(found)}, but \`${style.name}\` writes only lists and objects of text, numbers and booleans`;
  const help = "write `style: deepObject` in a query, or send it in the body";
  reportParameter(place, "not-a-scalar", part, message, help);
}
