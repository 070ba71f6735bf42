/**
 * Who makes a call. An application says it once for all that happens for somebody (`withCaller`), or call by call
 * (`CallOptions.caller`), or for all calls of a runtime (`RuntimeOptions.caller`); the nearest one counts.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Where the wish for a call came from: a model, a program's own code, or the system itself. */
export const origins = ["llm", "api", "system"] as const;
export type Origin = (typeof origins)[number];

export interface Caller {
  /** The customer, organization or account that the call is for. */
  readonly tenant?: string;
  /** The person or service that makes it. */
  readonly subject?: string;
  /** What the caller may do, as far as the application knows. Policy narrows it further. */
  readonly scopes?: readonly string[];
  readonly roles?: readonly string[];
  readonly origin?: Origin;
  /** The trace that its calls belong to; kept in the ledger. */
  readonly trace?: string;
}

/** The fields of a caller that bindings may use as `{caller.…}`: each is text. */
export const callerFields = ["tenant", "subject", "origin", "trace"] as const;
export type CallerField = (typeof callerFields)[number];

/**
 * The caller as the code of a binding takes it. Of these fields it reads those alone that its
 * contract lists (`ToolContract.caller`).
 */
export type BoundCaller = Required<Pick<Caller, CallerField>>;

const nobody: Caller = Object.freeze({});

/** The caller of a call, for a binding that takes something of it. */
export function boundCaller({
  caller = nobody,
}: {
  readonly caller?: Caller | undefined;
}): BoundCaller {
  // What the contract lists is there: without it the call was refused when it was validated. The
  // compiler writes both.
  return caller as BoundCaller;
}

/** Characters of a tenant, subject, scope, role or trace. */
export const longestName = 256;
/** Scopes, and roles, of one caller. */
const maxNames = 1000;

/** Copies that were made here: frozen, they need not be looked at again. */
const own = new WeakSet<Caller>([nobody]);

const callers = new AsyncLocalStorage<Caller>();

/**
 * Runs a function, and whatever it waits for, on behalf of a caller: every call made in it is that caller's.
 *
 * @returns what the function returns
 * @throws TypeError for a caller that is none
 */
export function withCaller<Returned>(caller: Caller, run: () => Returned): Returned {
  return callers.run(ownCaller(caller), run);
}

/** The caller on whose behalf this runs; undefined outside of `withCaller`. */
export function currentCaller(): Caller | undefined {
  return callers.getStore();
}

/** Of copies, the same as asked for by a model. */
const models = new WeakMap<Caller, Caller>();

/**
 * The same caller, on whose behalf a model asks: who it is stays, and where the wish comes from is told.
 *
 * @throws TypeError for a caller that is none
 */
export function askedByModel(caller: Caller = nobody): Caller {
  // An application may use its object again for somebody else: nothing is remembered of that.
  const copy = ownCaller(caller);
  if (copy.origin === "llm") return copy;
  let asked = models.get(copy);
  if (asked === undefined) models.set(copy, (asked = ownCaller({ ...copy, origin: "llm" })));
  return asked;
}

/**
 * A frozen copy of what an application says of a caller: what decides about calls must not change under way.
 *
 * @throws TypeError for what can't be told apart from something else: an empty text, one with control characters, with characters that don't
 *   show or mean nothing, or with spaces around it, one in another Unicode form than NFC, a text that is too long, too many of them
 */
export function ownCaller(given: Caller): Caller {
  if (own.has(given)) return given;
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new TypeError(
      "a caller is an object: `{ tenant, subject, scopes, roles, origin, trace }`",
    );
  const { origin, roles, scopes, subject, tenant, trace, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new TypeError(`a caller has no \`${unknown.slice(0, 64)}\``);
  if (origin !== undefined && !origins.includes(origin))
    throw new TypeError('`origin` of a caller is "llm", "api" or "system"');
  const caller: Caller = Object.freeze({
    ...named("tenant", tenant),
    ...named("subject", subject),
    ...named("trace", trace),
    ...(origin !== undefined && { origin }),
    ...listed("scopes", scopes),
    ...listed("roles", roles),
  });
  own.add(caller);
  return caller;
}

function named(field: string, value: unknown): { readonly [field: string]: string } {
  return value === undefined ? {} : { [field]: requireName(field, value) };
}

function listed(field: string, values: unknown): { readonly [field: string]: readonly string[] } {
  if (values === undefined) return {};
  if (!Array.isArray(values) || values.length > maxNames)
    throw new TypeError(`\`${field}\` of a caller is a list of at most ${maxNames} texts`);
  const names = values.map((each: unknown) => requireName(field, each));
  return { [field]: Object.freeze([...new Set(names)]) };
}

/** Two spellings of one name would be two people; one that inherits from every object would be none. */
function requireName(field: string, value: unknown): string {
  const why = whyNoName(value);
  // What it is then, the first rule has made sure of.
  if (why === undefined) return value as string;
  throw new TypeError(`\`${field}\` of a caller ${why}`);
}

/**
 * A character that looks like nothing, or like whatever a font makes of it: control, format,
 * private and unassigned ones, noncharacters among them; line separators; those that are not drawn
 * (a Braille pattern without a dot, Khitan's filler, a note without a head, two blank hieroglyphs);
 * and U+FFFC and U+FFFD, which stand for something else.
 */
const unclear =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{16FE4}\u{1D159}\u{13441}\u{13442}\uFFFC\uFFFD]/u;

/**
 * Why a value can't name a tenant, a subject, a scope, a role, a trace or a step; undefined for a
 * name. The
 * reason has no part of the value, which may be anything.
 */
export function whyNoName(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "" || value.length > longestName)
    return `is not text of 1 to ${longestName} characters`;
  if (value === "__proto__")
    return "can't be `__proto__`, which names what every object inherits: give it another name";
  if (!value.isWellFormed()) return "has half of a surrogate pair, which is no character";
  if (unclear.test(value))
    return "has a control character, one that doesn't show, or one without a meaning of its own: leave such characters out";
  if (/(?! )\p{Zs}/u.test(value))
    return "has a space that is not the plain one, and looks like it: write U+0020";
  if (value !== value.trim()) return "begins or ends with a space, which nobody sees: leave it out";
  if (value !== value.normalize("NFC"))
    return 'is not in Unicode\'s form NFC, in which a name has one spelling: pass `name.normalize("NFC")`';
  return undefined;
}
