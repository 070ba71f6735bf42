import picomatch from "picomatch";

/** A schema file: path and text. */
export interface SchemaFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Chooses the paths that the patterns of `schema:` match, each once, in the order to load them.
 * Patterns are taken in order. Within a pattern, paths are sorted by name, with numbers compared as
 * numbers (`2_b.sql` before `10_a.sql`). `.down.sql` files are left out because they undo a
 * migration.
 */
export function chooseSchemaFiles(
  patterns: readonly string[],
  paths: readonly string[],
): readonly string[] {
  const ups = paths.filter((path) => !/\.down\.sql$/i.test(path)).toSorted(byName);
  return [...new Set(patterns.flatMap((pattern) => ups.filter(matcherOf(pattern))))];
}

/** A leading `./` is ignored, in patterns and in paths. */
function matcherOf(pattern: string): (path: string) => boolean {
  const matches = picomatch(withoutDot(pattern));
  return (path) => matches(withoutDot(path));
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}

/**
 * The part of a migration that applies it. It ends at the mark with which goose, sql-migrate,
 * dbmate and tern begin the part that undoes it.
 */
export function upPart(text: string): string {
  const mark = DOWN_MARK.exec(text);
  return mark === null ? text : text.slice(0, mark.index);
}

const DOWN_MARK =
  /^[ \t]*(?:--[ \t]*\+(?:goose|migrate)[ \t]+down\b|--[ \t]*migrate:down\b|---- create above \/ drop below ----)/im;

// Not Intl: the order must be the same on every machine.
function byName(one: string, other: string): number {
  const [ones, others] = [digitRuns(one), digitRuns(other)];
  for (const [index, part] of ones.entries()) {
    const difference = compareParts(part, others[index] ?? "");
    if (difference !== 0) return difference;
  }
  return ones.length - others.length || compare(one, other);
}

function digitRuns(path: string): readonly string[] {
  return path.match(/\d+|\D+/g) ?? [];
}

function compareParts(one: string, other: string): number {
  const bothNumbers = /^\d/.test(one) && /^\d/.test(other);
  return bothNumbers ? compare(BigInt(one), BigInt(other)) : compare(one, other);
}

function compare<T extends string | bigint>(one: T, other: T): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
