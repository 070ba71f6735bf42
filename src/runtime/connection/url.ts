import { UnusableUrl } from "./errors.js";

/** The parts of a connection's URL. Secret. */
export interface ConnectionUrl {
  readonly isTls: boolean;
  readonly host: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  /** Decoded segments of the path; empty for no path or a single slash. */
  readonly path: readonly string[];
  readonly options: ReadonlyMap<string, string>;
}

export interface UrlForm {
  /** Scheme, such as `amqp`. With an `s` at its end it means TLS. */
  readonly scheme: string;
  /** Scheme for TLS, if it is another one. */
  readonly tlsScheme?: string;
  /** Names of allowed query options. */
  readonly options: readonly string[];
}

/**
 * Parses a connection's URL.
 *
 * @throws UnusableUrl if the URL is not valid
 */
export function readConnectionUrl(text: string, form: UrlForm): ConnectionUrl {
  const url = parse(text, form);
  // If a password contains `#`, the rest of the URL becomes the fragment.
  if (url.hash !== "") throw new UnusableUrl("has a `#`: write `%23`");
  if (url.hostname === "") throw new UnusableUrl("has no host");
  const { username, password, port } = url;
  return {
    isTls: url.protocol === `${tlsSchemeOf(form)}:`,
    host: url.hostname.replace(/^\[(.*)\]$/s, "$1"),
    ...(port !== "" && { port: Number(port) }),
    ...(username !== "" && { user: decode(username, "user") }),
    ...(password !== "" && { password: decode(password, "password") }),
    path: segmentsOf(url),
    options: optionsOf(url, form),
  };
}

function tlsSchemeOf({ scheme, tlsScheme = `${scheme}s` }: UrlForm): string {
  return tlsScheme;
}

function parse(text: string, form: UrlForm): URL {
  const prefixes = [`${form.scheme}://`, `${tlsSchemeOf(form)}://`];
  const start = text.trimStart().toLowerCase();
  if (!prefixes.some((prefix) => start.startsWith(prefix)))
    throw new UnusableUrl(`must begin with ${prefixes.join(" or ")}`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || hasLateLogin(url)) throw unreadableUrl(text);
  return url;
}

/** Splits the path before decoding, because `%2F` is part of a segment. */
function segmentsOf({ pathname }: URL): readonly string[] {
  const path = pathname.slice(1);
  return path === "" ? [] : path.split("/").map((each) => decode(each, "path"));
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UnusableUrl(`has an invalid \`%\` escape in its ${part}`);
  }
}

function optionsOf(url: URL, form: UrlForm): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (!form.options.includes(name)) throw unknownOption(url, form.options);
    if (options.has(name)) throw new UnusableUrl(`has \`${name}\` twice`);
    options.set(name, value);
  }
  return options;
}

/**
 * Returns the value of a numeric option.
 *
 * @throws UnusableUrl if it is not an integer from `least` to `most`
 */
export function numberOption(
  { options }: ConnectionUrl,
  name: string,
  least: number,
  most: number,
): number | undefined {
  const text = options.get(name);
  if (text === undefined) return undefined;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UnusableUrl(`has a \`${name}\` that is not a whole number from ${least} to ${most}`);
}

/**
 * Makes the error of a URL that can't be parsed. Special characters in a user or password end that
 * part of the URL too early.
 */
export function unreadableUrl(text: string): UnusableUrl {
  const help = "; percent-encode user and password: `#` is `%23`, `/` is `%2F`, `?` is `%3F`";
  return new UnusableUrl(`is not a valid URL${text.includes("@") ? help : ""}`);
}

/**
 * Returns whether the `@` after the password follows the host: a slash in the password was read as
 * the beginning of the path.
 */
export function hasLateLogin({ password, pathname, username }: URL): boolean {
  return username === "" && password === "" && pathname.includes("@");
}

/**
 * Makes the error of an unknown option. It doesn't name the option, because after a `?` in a
 * password the name would be the rest of the password.
 */
export function unknownOption(url: URL, known: readonly string[]): UnusableUrl {
  const names = known.map((each) => `\`${each}\``).join(", ");
  const isCut = url.username === "" && url.password === "" && url.search.includes("@");
  const help = isCut ? "; in a user or a password, write `?` as `%3F`" : "";
  return new UnusableUrl(
    `has an unknown option; the known ${known.length === 1 ? "option is" : "options are"} ${names}${help}`,
  );
}
