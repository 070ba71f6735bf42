import { getOwn, type JsonValue } from "../../../core/json.js";
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { type Defaults, defaultsOf } from "../../../schema/defaults.js";
import { lookUp } from "../../../schema/look-up.js";
import { spanOfDefault } from "../../../schema/schema-spans.js";
import { parametersIn, restOfParameters } from "../../../kit/coverage.js";
import { type HttpConfig, templatesOfBody } from "../model.js";

/** Reports defaults in the body of a PATCH: they change fields that the caller did not mention. */
export function checkPatchDefaults(tool: ToolModel, config: HttpConfig, report: Report): void {
  const defaults = config.method.name === "PATCH" ? defaultsOf(tool.parameters) : undefined;
  if (defaults === undefined) return;
  const sent =
    config.body.kind === "rest"
      ? restOfParameters(tool, tool.binding.references).map((name) => [name])
      : templatesOfBody(config.body).flatMap(({ parts }) =>
          parametersIn(parts).map(({ path }) => path),
        );
  const found = new Map(
    sent
      .flatMap((path) => defaultsAlong(defaults, path))
      .map((each) => [each.path.join("/"), each] as const),
  );
  for (const { path, value } of found.values()) reportDefault(tool, path, value, report);
}

interface FilledPlace {
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/** Returns the defaults that apply along a path, and inside the value at its end. */
function defaultsAlong(
  defaults: Defaults | undefined,
  path: readonly string[],
  before: readonly string[] = [],
): readonly FilledPlace[] {
  const [step, ...rest] = path;
  const all = defaults?.properties ?? {};
  const names = step === undefined ? Object.keys(all) : [step];
  return names.flatMap((name) => {
    const found = getOwn(all, name);
    if (found === undefined) return [];
    const at = [...before, name];
    // Defaults come from a schema, which is JSON.
    const value = found.value as JsonValue | undefined;
    return [
      ...(value === undefined ? [] : [{ path: at, value }]),
      ...defaultsAlong(found.inside, rest, at),
    ];
  });
}

function reportDefault(
  { parameters }: ToolModel,
  path: readonly string[],
  value: JsonValue,
  report: Report,
): void {
  const name = shown(path.join("."));
  const pointer = lookUp(parameters, path).schema ?? "";
  report.add({
    code: "http/default-sent-by-patch",
    span: spanOfDefault({ model: parameters, pointer }),
    message: `every call without \`${name}\` sets it to \`${shown(JSON.stringify(value))}\`, because a PATCH sends the default`,
    help: "remove the default, and describe the API's default in `description`",
  });
}
