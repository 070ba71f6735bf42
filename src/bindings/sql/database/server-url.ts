/** What keeps a connection's URL from being used, in words that hold nothing of it; undefined when nothing does. */
export function faultOfUrl(url: string): string | undefined {
  if (!/^postgres(?:ql)?:\/\//i.test(url)) return "it is no postgres:// URL";
  return isMisread(url) ? UNREADABLE : undefined;
}

/** Of a URL that the driver can't take apart. */
export const UNREADABLE =
  "it is no URL that can be read; in a password `@` is written %40, `/` %2F, `?` %3F, `#` %23, `%` %25";

/** A password with a separator in it would end up in the name of the host or the database, and from there in messages. */
function isMisread(url: string): boolean {
  const [, rest = ""] = /^[^/]*\/\/[^/?#]*(.*)$/s.exec(url) ?? [];
  return /^[^?]*@|[?&][^=&]*@/s.test(rest);
}

/** The driver's words for an error, without the password of the URL. */
export function reasonWithoutPassword(url: string, error: unknown): string {
  const encoded = [
    /^[^:]*:\/\/[^:@/]*:(?<password>.*)@/s.exec(url)?.groups?.["password"] ?? "",
    /[?&]password=(?<password>[^&#]*)/.exec(url)?.groups?.["password"] ?? "",
  ];
  const secrets = encoded.flatMap((secret) => [secret, decoded(secret)]);
  return secrets
    .filter((secret) => secret !== "")
    .reduce((message, secret) => message.replaceAll(secret, "***"), reasonOf(error));
}

// A name with several addresses fails with one error for each, and says nothing itself.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  if (!(error instanceof Error)) return String(error);
  const isPostgres = "severity" in error && "code" in error;
  return isPostgres ? `${error.message} (SQLSTATE ${String(error.code)})` : error.message;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
