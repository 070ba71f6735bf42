import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { MapNode, SyntaxNode } from "../../../core/syntax-node.js";
import { entryOf, valueOf } from "../../../core/syntax-node.js";
import { textNode } from "../../../kit/text-template.js";
import {
  type NamedParameter,
  type PaginationModel,
  paginations,
  type PathModel,
} from "../model.js";
import { pathOf, singlePathOf } from "./statuses.js";

type Key = "at" | "parameter" | "limit";

/** Keys that each way to the next page accepts; true if the key is required. */
const keys: Readonly<Record<PaginationModel["by"], Readonly<Partial<Record<Key, boolean>>>>> = {
  link_header: {},
  cursor: { at: true, parameter: true },
  page: { parameter: true, limit: false },
  offset: { parameter: true, limit: false },
};

/** The `paginate:` mapping. */
export function readPagination(
  node: SyntaxNode | undefined,
  report: Report,
): PaginationModel | undefined {
  if (node?.kind !== "map") return undefined;
  const written = textNode(valueOf(node, "next"));
  const by = paginations.find((each) => each === written?.value);
  const paths = {
    at: singlePath(node, "at", report),
    more: singlePath(node, "more", report),
    items: itemsPath(node, report),
  };
  if (by === undefined || !checkKeys(node, by, report)) return undefined;
  // An invalid path is already reported; without it, `paginate` would mean something else.
  if (Object.entries(paths).some(([key, path]) => !path && entryOf(node, key))) return undefined;
  const parameter = named(node, "parameter");
  const limit = named(node, "limit");
  return {
    by,
    span: node.span,
    ...(parameter && { parameter }),
    ...(limit && { limit }),
    ...(paths.at && { at: paths.at }),
    ...(paths.more && { more: paths.more }),
    ...(paths.items && { items: paths.items }),
  };
}

function named(node: MapNode, key: Key): NamedParameter | undefined {
  const text = textNode(valueOf(node, key));
  return text && { name: text.value, span: text.span };
}

function checkKeys(node: MapNode, by: PaginationModel["by"], report: Report): boolean {
  const taken = keys[by];
  let fits = true;
  for (const key of ["at", "parameter", "limit"] as const) {
    const entry = entryOf(node, key);
    const isMissing = taken[key] === true && entry === undefined;
    const isIdle = taken[key] === undefined && entry !== undefined;
    if (isMissing || isIdle) fits = false;
    if (isMissing) {
      report.add({
        code: "http/bad-pagination",
        span: node.span,
        message: `${quote(`next: ${by}`)} needs ${quote(key)}`,
        help: help[key],
      });
    } else if (isIdle) {
      report.add({
        code: "http/bad-pagination",
        span: entry.key.span,
        message: `${quote(`next: ${by}`)} doesn't use ${quote(key)}`,
        help: "remove it, or choose another `next`",
      });
    }
  }
  return fits;
}

const help: Readonly<Record<Key, string>> = {
  at: "name the place of the cursor in the body: `at: $.meta.next`",
  parameter: "name the parameter of the tool that selects the page: `parameter: page`",
  limit: "name the parameter that sets the number of items on a page",
};

function singlePath(node: MapNode, key: string, report: Report): PathModel | undefined {
  const at = { key, node: valueOf(node, key) };
  return singlePathOf(at, { code: "http/bad-pagination", example: "$.meta.next" }, report);
}

/** Reads the path to the items. Only names are allowed, so that the type of the items is known. */
function itemsPath(node: MapNode, report: Report): PathModel | undefined {
  const path = pathOf(valueOf(node, "items"), report);
  if (path === undefined || (path.complete && path.steps.every(({ at }) => typeof at === "string")))
    return path;
  report.add({
    code: "http/bad-pagination",
    span: path.span,
    message: `${quote(path.text)} contains more than names of properties`,
    help: "write the path of the list itself: `$.items`",
  });
  return undefined;
}
