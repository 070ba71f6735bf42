import { quote } from "../../../core/names.js";
import { factsOf } from "../../coverage.js";
import { literalText, loneParameter, type ParameterPart } from "../../text-template.js";
import { checkScalars, doubtOf, type Place, reportParameter } from "../../values/check-value.js";
import type { TargetModel } from "../model.js";
import { mayBeAnyText } from "./any-text.js";
import { namesIn, type TargetedName } from "./name-rules.js";

/** Names that the broker takes, made of parameters that are there. */
export function checkTarget(place: Place, target: TargetModel): void {
  for (const name of namesIn(target)) checkName(place, name);
  // A message without a key goes to any partition.
  if (target.kind === "kafka" && target.key)
    checkScalars(place, { kind: "template", template: target.key }, "a key");
}

function checkName(place: Place, name: TargetedName): void {
  const { template, what } = name;
  checkScalars(place, { kind: "template", template }, what);
  for (const part of template.parts) if (part.kind === "parameter") checkPart(place, part, name);
  const fault = literalFault(name);
  if (fault === undefined) return;
  place.report.add({
    code: "queue/bad-target",
    span: template.span,
    message: `no broker takes this for ${what}: ${fault}`,
  });
}

/** Literal text between references is part of a name; alone it is one. */
function literalFault({ partFault, template, wholeFault }: TargetedName): string | undefined {
  const text = template.parts.map((part) => (part.kind === "literal" ? part.text : "")).join("");
  const isWhole = literalText(template) !== undefined;
  return partFault(text) ?? (isWhole ? wholeFault(text) : undefined);
}

function checkPart(place: Place, part: ParameterPart, name: TargetedName): void {
  const { tool } = place;
  const { what } = name;
  const facts = factsOf(tool, part);
  const doubt = doubtOf(facts);
  if (doubt !== undefined) {
    const fact = `is ${doubt}, and without it there is no name for ${what}`;
    reportParameter(place, "optional-in-target", part, fact, "make it required");
  }
  for (const value of facts?.enum ?? [])
    if (value !== null) checkListed(place, part, name, String(value));
  if (facts === undefined || !name.isPlace || !mayBeAnyText(tool, facts)) return;
  const fact = `may be any text, so whoever calls the tool picks ${what.replace(/^an? /, "the ")}`;
  reportParameter(
    place,
    "open-target",
    part,
    fact,
    "list its values with `enum`, or write a `pattern`",
  );
}

/** One that the parameter may have. */
function checkListed(place: Place, part: ParameterPart, name: TargetedName, text: string): void {
  const isWhole = loneParameter(name.template) === part;
  const fault = name.partFault(text) ?? (isWhole ? name.wholeFault(text) : undefined);
  const fact =
    text === ""
      ? `may be empty, and makes no name for ${name.what} then`
      : fault && `may be ${quote(text)}, and no broker takes it for ${name.what}: ${fault}`;
  const help = "take the value out of the parameter's schema";
  if (fact) reportParameter(place, "bad-target", part, fact, help);
}
