import type { ToolModel } from "../../core/skill-model.js";
import { type AnswerData, successData, type ToolAnswer } from "../../kit/answers.js";
import type { HttpConfig, PathModel, StatusModel } from "./model.js";
import type { SchemaModel } from "../../core/skill-model.js";
import { isSuccessCode, isWithoutContent, namesOfOwnData } from "./resolve/statuses.js";

/** The statuses of a tool's answers: those of the emitted type, in `emit/answers.ts`. */
export function httpAnswers(tool: ToolModel, config: HttpConfig): readonly ToolAnswer[] {
  const { statuses } = config;
  const own = namesOfOwnData(statuses);
  const usual = usualData(tool, config);
  const named = statuses.flatMap((status): readonly ToolAnswer[] => {
    if (!isSuccessCode(status.code)) return [{ status: status.name }];
    if (status.name === "success") return [];
    const data = own.includes(status.name) ? ownData(status, config) : usual;
    return [{ status: status.name, data }];
  });
  return [{ status: "success", data: usual }, { status: "error" }, ...named];
}

/** Data of the successes without a schema of their own. */
function usualData(tool: ToolModel, { dataPath, form, response }: HttpConfig): AnswerData {
  if (form?.as === "bytes") return "bytes";
  if (tool.returns !== undefined || response === undefined)
    return successData(tool, textSchema(form));
  return placeOf(response, dataPath);
}

function textSchema(form: HttpConfig["form"]) {
  return form?.as === "text" ? ({ type: "string" } as const) : undefined;
}

function ownData({ code, path, schema, span }: StatusModel, { response }: HttpConfig): AnswerData {
  if (isWithoutContent(code))
    return { model: { kind: "schema", schema: { type: "null" }, span, places: {} }, at: [] };
  const body = schema ?? response;
  return body === undefined ? "unknown" : placeOf(body, path);
}

function placeOf(model: SchemaModel, path: PathModel | undefined): AnswerData {
  if (path === undefined) return { model, at: [] };
  const steps = path.steps.map(({ at }) => (typeof at === "object" ? 0 : at));
  if (!path.complete) return "unknown";
  return { model, at: steps, ...(!path.singular && { isList: true }) };
}
