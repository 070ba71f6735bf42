import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { lookUp } from "../../../schema/look-up.js";
import { factsOf } from "../../coverage.js";
import { checkIdempotencyKey } from "../../idempotency-key.js";
import { loneParameter, type ParameterPart } from "../../text-template.js";
import {
  checkScalar,
  checkScalars,
  checkValue,
  doubtOf,
  isScalar,
  type Place,
  reportParameter,
} from "../../values/check-value.js";
import { checkLiteral, checkLiteralsBelow, checkNamed } from "../../values/check-literal.js";
import type { ScalarModel } from "../../values/model.js";
import type { HttpConfig } from "../model.js";
import { checkHeaderValues, checkQueryValues, checkSegmentValues } from "./values.js";

/** What each place of the request asks of the parameters that stand in it. */
export function checkRequest(tool: ToolModel, config: HttpConfig, report: Report): void {
  const place: Place = { kind: "http", json: "the body", tool, report };
  for (const piece of config.url.path) {
    if (piece.kind !== "segment") continue;
    piece.values.forEach((part) => checkInPath(place, part));
    checkSegmentValues(tool, piece, report);
  }
  const use = { sendsRest: config.body.kind === "rest" };
  for (const { name, value } of config.query) {
    checkInQuery(place, value);
    if (value.kind === "template") checkQueryValues(tool, value.template, report);
    checkNamed(place, name, value, use);
  }
  for (const { value } of config.headers) {
    checkLiteral(place, value, use);
    checkScalars(place, value, "a header");
    if (value.kind === "template") checkHeaderValues(tool, value.template, report);
  }
  if (config.idempotency?.key) {
    checkIdempotencyKey(
      place,
      config.idempotency.key,
      "put a parameter into it, or leave `key` out for a random one",
    );
    checkHeaderValues(tool, config.idempotency.key, report);
  }
  if (config.body.kind !== "template") return;
  checkValue(place, config.body.value);
  checkLiteralsBelow(place, config.body.value, use);
}

function checkInPath(place: Place, part: ParameterPart): void {
  checkScalar(place, part, "a path");
  const doubt = doubtOf(factsOf(place.tool, part));
  if (doubt === undefined) return;
  const help = "make it required, or move it to `query`, where an absent one drops its entry";
  reportParameter(
    place,
    "optional-in-path",
    part,
    `is ${doubt}, and a path has no place for nothing`,
    help,
  );
}

/** Alone, an array of scalars is welcome: it repeats the name. */
function checkInQuery(place: Place, value: ScalarModel): void {
  const alone = value.kind === "template" ? loneParameter(value.template) : undefined;
  const types = alone && factsOf(place.tool, alone)?.types;
  if (alone === undefined || !types?.includes("array")) {
    return checkScalars(place, value, "a query value");
  }
  const items = lookUp(place.tool.parameters, [...alone.path, 0]);
  const odd = [
    ...types.filter((type) => type === "object"),
    ...items.types.filter((type) => !isScalar(type) && type !== "null"),
  ];
  if (odd.length === 0) return;
  const message =
    "holds more than a list of text, numbers and booleans, which is all that a query can repeat";
  reportParameter(
    place,
    "not-a-scalar",
    alone,
    message,
    "say what its `items` are, or send it in the body",
  );
}
