import type { Exchange } from "./exchange.js";

/** A handler for a method and a path. `{name}` in the path matches one segment of any text. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly serve: (exchange: Exchange) => void | Promise<void>;
}

/** A matching route, and the values of its placeholders. */
export interface Match {
  readonly route: Route;
  readonly values: readonly string[];
}

export function matchRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): Match | undefined {
  for (const route of routes) {
    const values = route.method === method ? matchPath(route.path, path) : undefined;
    if (values !== undefined) return { route, values };
  }
  return undefined;
}

function matchPath(pattern: string, path: string): readonly string[] | undefined {
  const expected = pattern.split("/");
  const actual = path.split("/");
  if (expected.length !== actual.length) return undefined;
  const values: string[] = [];
  for (const [index, part] of actual.entries()) {
    if (expected[index]?.startsWith("{")) values.push(decoded(part));
    else if (expected[index] !== part) return undefined;
  }
  return values;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
