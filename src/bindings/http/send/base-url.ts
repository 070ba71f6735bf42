/**
 * The start of a request's URL: the origin to connect to, and the path to which everything else is
 * appended.
 */
export interface BaseUrl {
  /** Scheme, host and port, normalized. */
  readonly origin: string;
  /** Empty, or starts with `/`. */
  readonly path: string;
}

/** Caches of parsed URLs, so that each is parsed once. */
const settings = new Map<string, BaseUrl>();
const literals = new Map<string, BaseUrl>();
const maxKnown = 1000;

/**
 * Requires a complete scheme and host, because `URL` would accept `http:host`, `http:\\host` and
 * tabs inside.
 */
const plainStart = /^https?:\/\/[^/?#@\\\s]+/i;
const unsafe = /[?#\\\p{Cc}\s]/u;

/**
 * Parses the value of a `${NAME}` at the start of a URL; undefined unless it is an http or https
 * URL with only an origin and a path.
 */
export function baseOfSetting(value: string): BaseUrl | undefined {
  return settings.get(value) ?? remember(settings, value, parseSetting(value));
}

/**
 * Parses the literal text at the start of a URL; `path` is the text after the origin, as written.
 */
export function baseOfLiteral(start: string): BaseUrl | undefined {
  return literals.get(start) ?? remember(literals, start, parseLiteral(start));
}

function parseSetting(value: string): BaseUrl | undefined {
  if (!plainStart.test(value) || unsafe.test(value) || !URL.canParse(value)) return undefined;
  const { origin, pathname, username, password } = new URL(value);
  if (username !== "" || password !== "") return undefined;
  return { origin, path: withoutEndSlashes(pathname) };
}

function parseLiteral(start: string): BaseUrl | undefined {
  const [origin] = plainStart.exec(start) ?? [];
  if (origin === undefined || !URL.canParse(origin)) return undefined;
  return { origin: new URL(origin).origin, path: start.slice(origin.length) };
}

function remember(
  known: Map<string, BaseUrl>,
  key: string,
  base: BaseUrl | undefined,
): BaseUrl | undefined {
  if (base === undefined) return undefined;
  if (known.size >= maxKnown) known.clear();
  known.set(key, base);
  return base;
}

function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}
