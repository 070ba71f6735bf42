import type { OpenRequest } from "./open-request.js";

/** Backslashes, control characters and user names have no place in an honest location. */
const tricks = /[\\\p{Cc}]/u;

/** Where a server says to go on; undefined for what is no URL, or leads to another origin. */
export function sameOriginUrl(
  { origin, path }: Pick<OpenRequest, "origin" | "path">,
  location: string,
): URL | undefined {
  if (tricks.test(location)) return undefined;
  const here = `${origin}${path}`;
  if (!URL.canParse(location, here)) return undefined;
  const target = new URL(location, here);
  const same = target.origin === origin && target.username === "" && target.password === "";
  return same ? target : undefined;
}
