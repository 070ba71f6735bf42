const ownNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Reads the URL of a protected resource.
 *
 * @throws TypeError if the text is not a URL of HTTP, or has a part that such a URL can't have
 */
export function requireResourceUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  if (url !== undefined && isHttp && url.hash === "" && url.username === "") return url;
  throw new TypeError("`resource` must be a URL such as `https://mcp.example.com/mcp`");
}

/**
 * Reads a URL of an issuer: of HTTPS, or of HTTP on this machine. Whoever can change what an issuer
 * sends can sign tokens.
 *
 * @throws TypeError if the text is another one
 */
export function requireIssuerUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && ownNames.has(url.hostname));
  if (url !== undefined && isSafe) return url;
  throw new TypeError(`\`${name}\` must be a URL of HTTPS, or of HTTP on this machine`);
}
