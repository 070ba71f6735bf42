/**
 * Where a request goes: what the connection is made to, and the path that everything else is
 * appended to.
 */
export interface BaseUrl {
  /** Scheme, host and port, normalized. */
  readonly origin: string;
  /** Empty, or starts with `/`. */
  readonly path: string;
}

/** Bases seen so far: a setting or the literal start of a URL is parsed once, not once a call. */
const settings = new Map<string, BaseUrl>();
const literals = new Map<string, BaseUrl>();
const maxKnown = 1000;

/** Scheme and host, spelt out; `URL` would forgive `http:host`, `http:\\host` and tabs inside. */
const plainStart = /^https?:\/\/[^/?#@\\\s]+/i;
const unsafe = /[?#\\\p{Cc}\s]/u;

/**
 * The value of a `${NAME}` that a URL starts with; undefined when it isn't an http or https URL of
 * origin and path alone.
 */
export function baseOfSetting(value: string): BaseUrl | undefined {
  return settings.get(value) ?? remember(settings, value, parseSetting(value));
}

/** The literal text that a URL starts with; `path` is what follows the origin in it, as written. */
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
