import { quote } from "../../../core/names.js";
import { fileParameters } from "../../../schema/file-schema.js";
import { propertyNames } from "../../../schema/look-up.js";
import { restOfParameters } from "../../../kit/coverage.js";
import { loneParameter, type ParameterPart } from "../../../kit/text-template.js";
import { placeOfParameter } from "../../../kit/unused-parameters.js";
import { type CheckContext, reportParameter } from "../../../kit/values/check-value.js";
import type { ScalarModel } from "../../../kit/values/model.js";
import { checkFilePlaces, fileOf } from "../../../kit/file-parameter.js";
import type { BodyModel } from "../model.js";

const help =
  'send the file as a part, `body: { multipart: { photo: { file: "{photo}" } } }`, or as the whole body: `body: { raw: "{photo}" }`';

/**
 * Checks that a file is sent as a part of a multipart body, or alone as the whole body. `file` of a
 * part must name a file.
 */
export function checkFiles(place: CheckContext, body: BodyModel): void {
  const { tool } = place;
  const files = fileParameters(tool.parameters);
  const taken = fileUses(place, body);
  if (files.size === 0) return;
  checkFilePlaces(place, taken, help);
  if (body.kind !== "rest") return;
  for (const name of restOfParameters(tool, tool.binding.references).filter((each) =>
    files.has(each),
  ))
    place.report.add({
      code: "http/file-place",
      span: placeOfParameter(tool.parameters, name),
      message: `${quote(name)} is a file, but without a \`body\` it would be sent as JSON`,
      help,
    });
}

/** Returns the references to files in places where a file is allowed. */
function fileUses(place: CheckContext, body: BodyModel): readonly ParameterPart[] {
  if (body.kind === "multipart")
    return body.parts.flatMap((part) =>
      part.kind === "file" ? (takenFile(place, part.value) ?? []) : [],
    );
  if (body.kind !== "raw" || body.content.kind !== "template") return [];
  const alone = loneParameter(body.content.template);
  const as = alone && fileOf(place.tool, alone);
  if (alone === undefined || as === undefined) return [];
  if (as === "list")
    reportParameter(
      place,
      "file-place",
      alone,
      "is a list of files, but a body is one file",
      "send them as parts of a multipart body",
    );
  return [alone];
}

function takenFile(place: CheckContext, value: ScalarModel<"caller">): ParameterPart | undefined {
  const alone = value.kind === "template" ? loneParameter(value.template) : undefined;
  if (alone !== undefined && fileOf(place.tool, alone) !== undefined) return alone;
  // Another check reports an unknown parameter.
  const [name] = alone?.path ?? [];
  if (name !== undefined && !propertyNames(place.tool.parameters, []).includes(name))
    return undefined;
  place.report.add({
    code: "http/bad-part",
    span: value.kind === "template" ? value.template.span : value.span,
    message: "`file` needs one parameter that is a file",
    help: "name one parameter, and declare it with `x-skillc-file: true`; write text without `file`",
  });
  return undefined;
}
