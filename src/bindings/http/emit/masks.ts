import type { SchemaModel } from "../../../core/skill-model.js";
import { maskedPaths, pathsTogether, type Paths } from "../../../schema/masked-paths.js";
import type { AnswerMasks } from "../../../kit/binding-emission.js";
import type { HttpConfig, PathModel, StatusModel } from "../model.js";
import { isSuccessCode, namesOfOwnData } from "../resolve/statuses.js";

/** Paths in results to values that must not be recorded, by the schemas of the bodies. */
export function answerMasks(config: HttpConfig): AnswerMasks {
  const { dataPath, errorPath, errorResponse, response, statuses } = config;
  const own = namesOfOwnData(statuses).flatMap((name): [string, Paths][] => {
    const paths = statuses.filter((each) => each.name === name).map(pathsOf(response));
    return paths.some((each) => each.length > 0) ? [[name, pathsTogether(paths.flat())]] : [];
  });
  const failures = statuses.filter(({ code }) => !isSuccessCode(code));
  // If a path finds nothing, or the body doesn't fit its schema, the whole body is the error.
  const errors = [
    ...[errorResponse, ...failures.map(({ schema }) => schema)].map((each) => pathsBelow(each)),
    pathsBelow(errorResponse, errorPath),
    ...failures.map(pathsOf(errorResponse, errorPath)),
  ];
  return {
    data: pathsBelow(response, dataPath),
    own: Object.fromEntries(own),
    errors: pathsTogether(errors.flat()),
  };
}

function pathsOf(usual: SchemaModel | undefined, usualPath?: PathModel) {
  return ({ path, schema }: StatusModel): Paths => pathsBelow(schema ?? usual, path ?? usualPath);
}

/** Masked paths below a query. A query that may lead to unlike places masks all that it finds. */
function pathsBelow(schema: SchemaModel | undefined, query?: PathModel): Paths {
  const paths = schema === undefined ? [] : maskedPaths(schema);
  if (paths.length === 0 || query === undefined) return paths;
  if (!query.complete) return [[]];
  const below = paths.flatMap((path) => {
    const isThere = query.steps.every(
      ({ at }, index) =>
        index >= path.length || path[index] === "*" || typeof at !== "string" || path[index] === at,
    );
    return isThere ? [path.slice(query.steps.length)] : [];
  });
  return query.singular ? below : below.map((path) => ["*", ...path]);
}
