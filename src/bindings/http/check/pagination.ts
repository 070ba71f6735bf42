import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel, ToolModel } from "../../../core/skill-model.js";
import { type JsonType, lookUp, propertyNames } from "../../../schema/look-up.js";
import { schemaAt } from "../../../schema/schema-tree.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { typeWords } from "../../../kit/type-words.js";
import type { HttpConfig, NamedParameter, PaginationModel, PathModel } from "../model.js";
import { type BodyPlace, placeInBody } from "./body-place.js";
import { followPath } from "./follow-path.js";

/** Checks that only a read has pages, that their parameters exist, and that they have items. */
export function checkPagination(tool: ToolModel, config: HttpConfig, report: Report): void {
  const { pagination } = config;
  if (pagination === undefined) return;
  if (tool.binding.effect === "write") {
    report.add({
      code: "http/bad-pagination",
      span: pagination.span,
      message: "only reads can have pages, but this call may change data",
      help: "remove `paginate`, or write `effect: read` if the call changes nothing",
    });
  }
  const { at, by, limit, more, parameter } = pagination;
  const isSelected = parameter && checkParameter(parameter, tool.parameters, pageWords[by], report);
  if (limit) checkParameter(limit, tool.parameters, "the number of items", report);
  const cursor = placeInBody(at, tool, config, report);
  if (at && cursor && checkCursor(at, cursor, report) && isSelected)
    checkCursorParameter(parameter, tool.parameters, cursor, report);
  const last = placeInBody(more, tool, config, report);
  if (more && last) checkMore(more, last, report);
  checkItems(tool, config, pagination, report);
}

const pageWords: Readonly<Record<PaginationModel["by"], string>> = {
  link_header: "an address",
  cursor: "a cursor",
  page: "the number of a page",
  offset: "an offset",
};

/** Types of values that name a page. */
const nameTypes: ReadonlySet<JsonType> = new Set(["string", "number", "integer"]);
const canName = (types: readonly JsonType[]) => types.some((type) => nameTypes.has(type));

/** Reports a cursor that is neither text nor a number: there would be no second page. */
function checkCursor(path: PathModel, { at, facts, schema }: BodyPlace, report: Report): boolean {
  const { types } = facts;
  if (types.length === 0 || canName(types)) return true;
  const inside = propertyNames(schema, at, "stated").filter((name) =>
    canName(lookUp(schema, [...at, name], "stated").types),
  );
  report.add({
    code: "http/bad-pagination",
    span: path.span,
    message: `${quote(path.text)} is ${typeWords(types)} by the schema, but a cursor is text or a number`,
    help:
      inside.length === 0
        ? "write the path to the cursor itself: `at: $.meta.next`"
        : `write ${inside.map((name) => quote(`at: ${path.text}.${name}`)).join(" or ")}`,
  });
  return false;
}

/**
 * Warns if the cursor is text, but its parameter is a number. A text of digits would fit, so there
 * is no warning if the schema describes the text by a pattern, a format or an enum.
 */
function checkCursorParameter(
  { name, span }: NamedParameter,
  parameters: SchemaModel,
  { facts, schema }: BodyPlace,
  report: Report,
): void {
  const { types } = lookUp(parameters, [name], "input");
  const described = facts.schema === undefined ? true : schemaAt(schema.schema, facts.schema);
  const isPlain = typeof described !== "boolean" && !described["pattern"] && !described["format"];
  const isText = facts.types.every((type) => !nameTypes.has(type) || type === "string");
  if (types.length === 0 || types.includes("string") || !isText || !isPlain || facts.enum) return;
  report.add({
    code: "http/unlikely-cursor",
    span,
    message: `${quote(name)} is ${typeWords(types)}, but the cursor is text by the schema`,
    help: "name the parameter that takes the cursor; if each cursor is a number, describe it by a `pattern` such as `^[0-9]+$`",
    related: [{ span: schema.span, message: "the schema of the body" }],
  });
}

/** Reports a `more` that is never `true`: every page would be the last. */
function checkMore(path: PathModel, { facts }: BodyPlace, report: Report): void {
  const { enum: values, types } = facts;
  if (types.length === 0 || (types.includes("boolean") && (values?.includes(true) ?? true))) return;
  report.add({
    code: "http/bad-pagination",
    span: path.span,
    message: `${quote(path.text)} is ${values ? "never `true`" : typeWords(types)} by the schema, but \`more\` needs \`true\` on every page except the last`,
    help: "write the path to a boolean, or remove `more`",
  });
}

/** Checks if the parameter can have such a value. */
function checkParameter(
  { name, span }: NamedParameter,
  of: SchemaModel,
  value: string,
  report: Report,
): boolean {
  const names = propertyNames(of, [], "input");
  if (names.includes(name)) {
    const { types } = lookUp(of, [name], "input");
    if (types.length === 0 || canName(types)) return true;
    report.add({
      code: "http/bad-pagination",
      span,
      message: `${quote(name)} is ${typeWords(types)}, but it gets ${value}`,
      help: "name a parameter that is a number or text",
    });
    return false;
  }
  report.add({
    code: "http/unknown-page-parameter",
    span,
    message: `${quote(name)} is not a parameter of the tool`,
    help:
      didYouMean(name, names) ??
      `declare ${quote(name)} in \`parameters\`, and send it in \`query\``,
  });
  return false;
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
