import type { JsonValue } from "../../../core/json.js";
import { quote, shown } from "../../../core/names.js";
import { valueChecker } from "../../../schema/check-value.js";
import type { CheckContext } from "../../../kit/values/check-value.js";
import { keyFor, type WrittenMap, writtenMaps } from "../beside-maps.js";
import type { HttpConfig } from "../model.js";

/** Reports maps that may have a name which the request has elsewhere: such calls are rejected. */
export function checkMaps({ report, tool }: CheckContext, config: HttpConfig): void {
  const maps = writtenMaps(config, tool.parameters).filter(({ beside }) => beside.length > 0);
  if (maps.length === 0) return;
  const check = valueChecker(tool.parameters);
  for (const map of maps) {
    const taken = map.beside.filter((name) => takesName(map, keyFor(name, map.prefix), check));
    if (taken.length === 0) continue;
    const path = map.part.path.join(".");
    const names = taken.map(quote).join(", ");
    report.add({
      code: "http/map-beside-names",
      span: map.part.span,
      message: `callers choose the names in \`${shown(path)}\`, but the request already has ${names}: a call with such a name is rejected`,
      help: `exclude them: \`propertyNames: { not: { enum: ${JSON.stringify(taken.map((name) => keyFor(name, map.prefix)))} } }\`, or write \`additionalProperties: false\``,
    });
  }
}

/** One value of each type. Only the name is judged, so one fitting value is enough. */
const anything: readonly JsonValue[] = ["x", 1, true, null, [], {}];

/** True if the schema lets the map have a property of that name. */
function takesName(
  { part: { path } }: WrittenMap,
  key: string,
  check: ReturnType<typeof valueChecker>,
): boolean {
  const problems = (map: JsonValue): readonly string[] =>
    check(path.reduceRight<JsonValue>((inner, step) => ({ [step]: inner }), map))
      .filter((each) => path.every((step, at) => each.path[at] === step))
      .map((each) => JSON.stringify([each.path, each.message]));
  const without = problems({});
  return anything.some((value) =>
    problems({ [key]: value }).every((each) => without.includes(each)),
  );
}
