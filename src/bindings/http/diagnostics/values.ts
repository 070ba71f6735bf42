import type { Catalogue, CatalogueEntry } from "../../../core/catalogue.js";
import { exampleProject } from "./example.js";

function entry(
  severity: CatalogueEntry["severity"],
  title: string,
  explanation: string,
  broken: string,
  fixed: string,
): CatalogueEntry {
  const project = (schema: string) =>
    exampleProject({
      parameters: [`region: ${schema}`],
      binding: ["method: GET", "url: https://api.example.com/regions/{region}"],
    });
  return { severity, title, explanation, example: project(broken), fixed: project(fixed) };
}

const refused =
  "A path segment is never empty, `.` or `..`, which lead to another resource; a header holds one line of Latin-1 text. ";

/** What can be wrong with the values that a parameter's schema names. */
export const valueDiagnostics: Catalogue = {
  "http/unusable-default": entry(
    "error",
    "a default that the request can't carry",
    `${refused}A default that can't stand there would fail every call that leaves the parameter out.`,
    '{ type: string, default: ".." }',
    "{ type: string, default: eu }",
  ),
  "http/unusable-value": entry(
    "warning",
    "a listed value that the request can't carry",
    `${refused}A call with that value would be refused, so it need not be offered.`,
    '{ type: string, enum: [eu, us, ""] }',
    "{ type: string, enum: [eu, us] }",
  ),
  "http/no-usable-value": entry(
    "error",
    "no listed value that the request can carry",
    `${refused}Every value that the parameter may have would be refused, so no call could succeed.`,
    '{ type: string, enum: [".", ".."] }',
    "{ type: string, enum: [eu, us] }",
  ),
};
