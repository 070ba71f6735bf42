import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel, ToolModel } from "../../../core/skill-model.js";
import { lookUp, propertyNames } from "../../../schema/look-up.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { typeWords } from "../../../kit/type-words.js";
import type { HttpConfig, NamedParameter, PaginationModel } from "../model.js";
import { followPath } from "./follow-path.js";

/** Checks that only a read has pages, that their parameters exist, and that they have items. */
export function checkPagination(tool: ToolModel, config: HttpConfig, report: Report): void {
  const { pagination, response } = config;
  if (pagination === undefined) return;
  if (tool.binding.effect === "write") {
    report.add({
      code: "http/bad-pagination",
      span: pagination.span,
      message: "only reads can have pages, but this call may change data",
      help: "remove `paginate`, or write `effect: read` if the call changes nothing",
    });
  }
  for (const each of [pagination.parameter, pagination.limit])
    if (each !== undefined) checkParameter(each, tool.parameters, report);
  for (const path of [pagination.at, pagination.more]) {
    const found = response && path && followPath(response, path);
    if (found?.kind === "missing") report.add(found.diagnostic);
  }
  checkItems(tool, config, pagination, report);
}

function checkParameter({ name, span }: NamedParameter, of: SchemaModel, report: Report): void {
  const names = propertyNames(of, [], "input");
  if (names.includes(name)) return;
  report.add({
    code: "http/unknown-page-parameter",
    span,
    message: `${quote(name)} is not a parameter of the tool`,
    help:
      didYouMean(name, names) ??
      `declare ${quote(name)} in \`parameters\`, and send it in \`query\``,
  });
}

/** Reports pages without a list of items, if a schema describes the data. */
function checkItems(
  { returns }: ToolModel,
  { dataPath, response }: HttpConfig,
  { items, span }: PaginationModel,
  report: Report,
): void {
  if (returns === undefined && dataPath?.singular === false) return;
  const base = returns === undefined ? response && followPath(response, dataPath) : undefined;
  const schema = returns ?? response;
  if (schema === undefined || (returns === undefined && base?.kind !== "place")) return;
  const start = base?.kind === "place" ? base.at : [];
  const at = [...start, ...(items?.steps ?? []).map((step) => String(step.at))];
  const { known, presence, types } = lookUp(schema, at, "stated");
  const isList = types.length === 0 || types.includes("array");
  if (presence !== "never" && (!known || isList)) return;
  const lists = propertyNames(schema, start, "stated").filter((name) =>
    lookUp(schema, [...start, name], "stated").types.includes("array"),
  );
  report.add({
    code: "http/no-page-items",
    span: items?.span ?? span,
    message: `a page has ${presence === "never" ? "nothing" : typeWords(types)} where its items should be`,
    help:
      lists.length === 0
        ? "write the path to the list of items in `data`: `items: $.orders`"
        : `write ${lists.map((name) => quote(`items: $.${name}`)).join(" or ")}`,
  });
}
