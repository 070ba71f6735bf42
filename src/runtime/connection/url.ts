import { UnusableUrl } from "./errors.js";

/** A connection's URL, taken apart. Secret. */
export interface ConnectionUrl {
  readonly isTls: boolean;
  readonly host: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  /** Segments of the path, decoded; empty without a path, or with a slash alone. */
  readonly path: readonly string[];
  readonly options: ReadonlyMap<string, string>;
}

export interface UrlForm {
  /** `amqp`: with an `s` at its end the scheme asks for TLS. */
  readonly scheme: string;
  /** What asks for TLS where that is another scheme. */
  readonly tlsScheme?: string;
  /** Names of options that its query may have. */
  readonly options: readonly string[];
}

/** @throws UnusableUrl */
export function readConnectionUrl(text: string, form: UrlForm): ConnectionUrl {
  const url = parse(text, form);
  // Where a password holds a `#`, the rest of the URL is a fragment.
  if (url.hash !== "") throw new UnusableUrl("has a `#`, which is written `%23` in a URL");
  if (url.hostname === "") throw new UnusableUrl("names no host");
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

/** Cut before they are decoded: `%2F` is a part of a segment. */
function segmentsOf({ pathname }: URL): readonly string[] {
  const path = pathname.slice(1);
  return path === "" ? [] : path.split("/").map((each) => decode(each, "path"));
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UnusableUrl(`has a \`%\` in its ${part} that encodes nothing`);
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

/** @throws UnusableUrl for an option that is no whole number from `least` to `most` */
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
  throw new UnusableUrl(`has a \`${name}\` that is no whole number from ${least} to ${most}`);
}

/**
 * A user and a password end where the URL's next part begins: with these characters in them it is
 * another URL, or none.
 */
export function unreadableUrl(text: string): UnusableUrl {
  const help = "; percent-encode user and password: `#` is `%23`, `/` is `%2F`, `?` is `%3F`";
  return new UnusableUrl(`is no URL that can be read${text.includes("@") ? help : ""}`);
}

/**
 * Whether the `@` that ends user and password stands behind the host: a slash in them was taken for
 * the path's.
 */
export function hasLateLogin({ password, pathname, username }: URL): boolean {
  return username === "" && password === "" && pathname.includes("@");
}

/** It is not named: behind a `?` in a password, the rest of the password is an option's name. */
export function unknownOption(url: URL, known: readonly string[]): UnusableUrl {
  const names = known.map((each) => `\`${each}\``).join(", ");
  const isCut = url.username === "" && url.password === "" && url.search.includes("@");
  const help = isCut ? "; a `?` in a user or a password is `%3F`" : "";
  return new UnusableUrl(
    `has an unknown option; there ${known.length === 1 ? "is" : "are"} ${names}${help}`,
  );
}
