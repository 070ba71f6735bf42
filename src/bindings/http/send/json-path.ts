/**
 * The entry point `@skillc/runtime/v1/json-path`: JSONPath for generated modules whose response
 * paths find many values. Most paths find one value, need only `pick`, and should not load an
 * engine at start.
 */
import * as JsonP3 from "json-p3";
import { RE2JS, RE2JSException } from "re2js";
import { linearIRegexp, longestPattern } from "./i-regexp.js";
import { PathSteps } from "./path-steps.js";

/**
 * Makes a function that finds all values of a JSONPath query (RFC 9535), in order; empty if there
 * are none. The query is compiled once.
 *
 * @typeParam Found type of the values in a valid body, which the compiler derives from the schema
 * @returns a function that throws `TooManySteps` if the query takes more steps than the body's size
 * allows
 * @throws if the path is not valid, which the compiler has already checked
 */
export function selector<Found = unknown>(path: string): (body: unknown) => readonly Found[] {
  const query = new CountedQuery(path);
  // Safe for the reason given at `@typeParam Found`.
  return (body) => query.find(body) as readonly Found[];
}

type Query = ReturnType<JsonP3.JSONPathEnvironment["compile"]>;
type Segment = Query["segments"][number];
type Node = Parameters<Segment["resolve"]>[0][number];
type Selector = Segment["selectors"][number];

/**
 * A query with a limit on its steps. The package has no such limit. For `$..*..*` on a deep body,
 * it visits every pair of a value and a descendant, as RFC 9535 requires. So this class evaluates
 * segments, also those in filters. The package only evaluates one selector on one node.
 */
class CountedQuery {
  readonly #query: Query;
  readonly #patterns: Patterns;
  #steps = new PathSteps(null);

  constructor(path: string) {
    const environment = new JsonP3.JSONPathEnvironment();
    this.#patterns = new Patterns();
    this.#replaceFunctions(environment);
    this.#query = environment.compile(path);
    this.#countQuery(this.#query);
  }

  find(body: unknown): readonly unknown[] {
    this.#steps = new PathSteps(body);
    // `parseBody` made the body, so it is JSON.
    return this.#query.query(body as JsonP3.JSONValue).values();
  }

  #countQuery(query: Query): void {
    for (const segment of query.segments) {
      const isDescendant = segment.token.kind === JsonP3.TokenKind.DDOT;
      segment.resolve = (nodes) => this.#resolve(segment, isDescendant, nodes);
      for (const each of segment.selectors)
        if (each instanceof JsonP3.jsonpath.selectors.FilterSelector)
          this.#countExpression(each.expression);
    }
  }

  #resolve(segment: Segment, isDescendant: boolean, nodes: readonly Node[]): Node[] {
    const found: Node[] = [];
    for (const start of nodes) {
      for (const value of isDescendant ? this.#descendants(start.value) : [start.value]) {
        for (const each of segment.selectors) {
          // A hostile response may have millions of values that no selector matches, so no node is
          // made for them.
          if (!mayFind(each, value)) continue;
          this.#steps.take(1 + this.#widthOf(each, value));
          // The location of a value is not used.
          const node = new JsonP3.JSONPathNode(value, [], start.root);
          // A loop, because a list may have more items than a call can take arguments.
          for (const next of each.resolve(node)) found.push(next);
        }
      }
    }
    return found;
  }

  /** Number of children that a selector examines, beyond one for a name or an index. */
  #widthOf(each: Selector, value: unknown): number {
    const { IndexSelector, NameSelector } = JsonP3.jsonpath.selectors;
    if (each instanceof NameSelector || each instanceof IndexSelector) return 0;
    if (Array.isArray(value)) return value.length;
    return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
  }

  /** A value and all its descendants, parents first. */
  *#descendants(start: JsonP3.JSONValue): Generator<JsonP3.JSONValue> {
    const left = [start];
    while (left.length > 0) {
      const value = left.pop() ?? null;
      this.#steps.take(1);
      yield value;
      if (typeof value !== "object" || value === null) continue;
      const children: readonly JsonP3.JSONValue[] = Array.isArray(value)
        ? value
        : Object.values(value);
      for (let at = children.length - 1; at >= 0; at -= 1) left.push(children[at] ?? null);
    }
  }

  #countExpression(expression: JsonP3.jsonpath.expressions.FilterExpression): void {
    const { expressions } = JsonP3.jsonpath;
    if (expression instanceof expressions.FilterQuery) this.#countQuery(expression.path);
    else if (expression instanceof expressions.PrefixExpression)
      this.#countExpression(expression.right);
    else if (expression instanceof expressions.LogicalExpression)
      this.#countExpression(expression.expression);
    else if (expression instanceof expressions.InfixExpression) this.#countInfix(expression);
    else if (expression instanceof expressions.FunctionExtension) {
      for (const each of expression.args) {
        if (each instanceof expressions.StringLiteral) this.#patterns.trust(each.value);
        this.#countExpression(each);
      }
    }
  }

  /** A comparison takes as many steps as the values are large. */
  #countInfix(infix: JsonP3.jsonpath.expressions.InfixExpression): void {
    this.#countExpression(infix.left);
    this.#countExpression(infix.right);
    if (infix.logical) return;
    const { compare } = JsonP3.jsonpath.expressions;
    infix.evaluate = (context) => {
      const [left, right] = [infix.left, infix.right].map((each) =>
        this.#single(each.evaluate(context)),
      );
      this.#steps.takeComparison(left, right);
      return compare(left, infix.operator, right);
    };
  }

  #single(found: unknown): unknown {
    if (!(found instanceof JsonP3.JSONPathNodeList)) return found;
    const [only] = found.nodes;
    return found.nodes.length === 1 && only !== undefined ? only.value : found;
  }

  /**
   * Replaces `match` and `search` by the linear matcher. `length` counts the names that it lists.
   */
  #replaceFunctions({ functionRegister }: JsonP3.JSONPathEnvironment): void {
    for (const use of ["match", "search"] as const) {
      const own = functionRegister.get(use);
      if (own === undefined) throw new Error(`json-p3 has no function ${use}`);
      const call = (text: unknown, pattern: unknown) =>
        this.#patterns.test(use, text, pattern, this.#steps);
      functionRegister.set(use, { argTypes: own.argTypes, returnType: own.returnType, call });
    }
    const length = functionRegister.get("length");
    if (length === undefined) throw new Error("json-p3 has no function length");
    const call = (value: unknown) => {
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        this.#steps.take(Object.keys(value).length);
      return length.call(value);
    };
    functionRegister.set("length", {
      argTypes: length.argTypes,
      returnType: length.returnType,
      call,
    });
  }
}

/** False if the type or the names of the value show that the selector finds nothing. */
function mayFind(each: Selector, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { IndexSelector, NameSelector } = JsonP3.jsonpath.selectors;
  if (each instanceof NameSelector) return Object.hasOwn(value, each.name);
  return !(each instanceof IndexSelector) || Array.isArray(value);
}

/**
 * Number of instructions of a server's compiled pattern that count as one step for each part of a
 * text.
 */
const instructionsPerStep = 16;

/** The patterns of `match` and `search`: those in the author's query, and those in the body. */
class Patterns {
  readonly #trusted = new Set<string>();
  readonly #compiled = new Map<string, RE2JS | undefined>();

  /**
   * Registers a pattern of the query. It is compiled once and may be of any size, because the
   * author chose it.
   */
  trust(pattern: string): void {
    this.#trusted.add(pattern);
  }

  /** Tests a text. By RFC 9535, a value that is no text, and an invalid I-Regexp, match nothing. */
  test(use: "match" | "search", text: unknown, pattern: unknown, steps: PathSteps): boolean {
    if (typeof text !== "string" || typeof pattern !== "string") return false;
    steps.takeText(text);
    if (this.#trusted.has(pattern)) return this.#own(use, pattern)?.test(text) ?? false;
    steps.takeText(pattern);
    if (pattern.length > longestPattern) return false;
    const compiled = compile(use, pattern);
    if (compiled === undefined) return false;
    // Compiling takes a step for each instruction. Matching may take one for each instruction and
    // character.
    const size = compiled.programSize();
    steps.take(size);
    steps.takeText(text, Math.floor(size / instructionsPerStep));
    return compiled.test(text);
  }

  #own(use: "match" | "search", pattern: string): RE2JS | undefined {
    const key = `${use} ${pattern}`;
    if (!this.#compiled.has(key)) this.#compiled.set(key, compile(use, pattern));
    return this.#compiled.get(key);
  }
}

function compile(use: "match" | "search", pattern: string): RE2JS | undefined {
  const text = linearIRegexp(pattern, use);
  if (text === undefined) return undefined;
  try {
    return RE2JS.compile(text);
  } catch (error) {
    // A part repeated more than 1,000 times. The compiler rejects such a pattern in the author's
    // query.
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}
