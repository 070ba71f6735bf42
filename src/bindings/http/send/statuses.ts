import type { Validator } from "../../../runtime/executor.js";
import type { StatusBody } from "../contract.js";

/** Meanings of response statuses for a tool. */
export interface Statuses {
  /** True if the author named that status, by its code or its range. */
  isNamed(status: number): boolean;
  of(status: number): StatusMeaning;
}

interface StatusMeaning {
  readonly name: string;
  /** True if the result contains `data`. */
  readonly isSuccess: boolean;
  /** False if there is never a body. */
  readonly hasContent: boolean;
  /** The body form of this status only. */
  readonly body: StatusBody | undefined;
}

/** Three digits, a range, or `default`. */
type Key = string;

/**
 * Makes the meanings of all statuses.
 *
 * @param names names by code, range (`4XX`) or `default`; the most specific applies
 * @param bodies bodies by the same keys
 */
export function statusesOf(
  names: { readonly [key: Key]: string },
  bodies: { readonly [key: Key]: StatusBody },
): Statuses {
  const byKey = new Map(Object.entries(names));
  const known = new Map(Object.entries(bodies));
  const withContent = new Set(
    [...byKey].filter(([key]) => !isWithoutContent(key)).map(([, name]) => name),
  );
  const succeeded = new Set(["success"]);
  for (const [key, name] of byKey) if (key.startsWith("2")) succeeded.add(name);
  const keyOf = (status: number): Key | undefined =>
    [String(status), `${Math.trunc(status / 100)}XX`].find((key) => byKey.has(key));
  const meaningOf = (status: number): StatusMeaning => {
    const is2xx = status >= 200 && status <= 299;
    const key = keyOf(status) ?? (is2xx ? undefined : "default");
    const given = key === undefined ? undefined : byKey.get(key);
    const name = given ?? (is2xx ? "success" : "error");
    const isSuccess = succeeded.has(name);
    // Several codes with the same name share one type.
    const isEmpty =
      isWithoutContent(String(status)) && name !== "success" && !withContent.has(name);
    const body = key === undefined ? undefined : known.get(key);
    return { name, isSuccess, hasContent: !isEmpty, body };
  };
  const meanings = new Map<number, StatusMeaning>();
  return {
    isNamed: (status) => keyOf(status) !== undefined,
    of(status) {
      let meaning = meanings.get(status);
      // The cache is small, because statuses have three digits.
      if (meaning === undefined) meanings.set(status, (meaning = meaningOf(status)));
      return meaning;
    },
  };
}

/** True for statuses without content (RFC 9110, 15.3.5 and 15.3.6). */
function isWithoutContent(key: Key): boolean {
  return key === "204" || key === "205";
}

/**
 * Makes the body form of one status.
 *
 * @typeParam Body type that `schema` validates, or else the contract's validator
 */
export function bodyOf<Body>(known: {
  readonly schema?: Validator<Body>;
  readonly find?: (body: Body) => unknown;
  readonly steps?: readonly (string | number)[];
  readonly orBody?: boolean;
}): StatusBody {
  const { find, orBody = false, schema, steps } = known;
  return { schema, find, steps, orBody };
}
