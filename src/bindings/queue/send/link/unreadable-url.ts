import { UnusableUrl } from "../faults.js";

/** A user and a password end where the URL's next part begins: with these characters in them it is another URL, or none. */
export function unreadableUrl(text: string): UnusableUrl {
  const help = "; percent-encode user and password: `#` is `%23`, `/` is `%2F`, `?` is `%3F`";
  return new UnusableUrl(`is no URL that can be read${text.includes("@") ? help : ""}`);
}

/** Whether the `@` that ends user and password stands behind the host: a slash in them was taken for the path's. */
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
