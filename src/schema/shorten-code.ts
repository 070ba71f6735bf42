/**
 * Shortens Ajv's code token by token, so that nothing inside a string is mistaken for code. The
 * result has short names, no schema paths and no parent data; the runtime adds errors, and the
 * length of the error list is their count. The shape of Ajv's code is private to Ajv;
 * ajv-internals.test.ts checks the shape that these tokens match.
 */
export interface Shortened {
  readonly text: string;
  /** Every name that the text mentions. */
  readonly names: ReadonlySet<string>;
  /** Every name that the text calls. */
  readonly called: ReadonlySet<string>;
}

/** Replacements for names in Ajv's code. */
export interface Meanings {
  /** Names of functions and helpers in the module. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Schemas by their names in Ajv's code. */
  readonly schemas: ReadonlyMap<string, unknown>;
}

/** Shortens the text of a function that Ajv printed. */
export function shorten(text: string, meanings: Meanings): Shortened {
  const printer = new Printer(meanings);
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const [token] = match;
    const form = forms[match.findIndex((each, index) => index > 0 && each !== undefined) - 1];
    if (form === undefined) throw new Error(`no form of ${token}`);
    printer.add(text.slice(end, match.index));
    printer.add(form[1](token, printer));
    end = match.index + token.length;
  }
  printer.add(text.slice(end));
  const { called, names } = printer;
  return { text: printer.text(), names, called };
}

/** Replacements that are the same in every function. */
const short: ReadonlyMap<string, string> = new Map([
  ["instancePath", "p"],
  ["vErrors", "e"],
  ["errors", "(e?.length??0)"],
]);

/** Collects the printed text, and the names that it uses. */
class Printer {
  readonly names = new Set<string>();
  readonly called = new Set<string>();
  readonly #meanings: Meanings;
  readonly #pieces: string[] = [];
  #startOfError = -1;

  constructor(meanings: Meanings) {
    this.#meanings = meanings;
  }

  text(): string {
    return this.#pieces.join("");
  }

  add(text: string): void {
    this.#pieces.push(text);
  }

  call(name: string): string {
    this.called.add(name);
    return `${name}(`;
  }

  /** Prints a name, or a call if a bracket follows. */
  word(token: string): string {
    if (token.endsWith("(")) return this.call(this.name(token.slice(0, -1)));
    return this.name(token);
  }

  name(token: string): string {
    const name =
      this.#meanings.renamed.get(token) ?? short.get(token) ?? token.replace(/^data(?=\d*$)/, "d");
    this.names.add(name);
    return name;
  }

  startOfError(): string {
    this.#startOfError = this.#pieces.length;
    return "e=fail(";
  }

  /** Prints the rest of an error with a type. */
  typeOfError(token: string): string {
    const start = this.#pieces[this.#startOfError] ?? "";
    this.#pieces[this.#startOfError] = start.replace("fail(", this.call("wrongType"));
    const [, type, schema = "", steps = ""] = typeTold.exec(token) ?? [];
    return `${type ?? JSON.stringify(this.#lookUp(schema, steps))});`;
  }

  #lookUp(schema: string, steps: string): unknown {
    return [...steps.matchAll(new RegExp(step, "g"))].reduce<unknown>((at, [each]) => {
      const key: unknown = each.startsWith(".") ? each.slice(1) : JSON.parse(each.slice(1, -1));
      return (at as Readonly<Record<string, unknown>>)[String(key)];
    }, this.#meanings.schemas.get(schema));
  }
}

const string = String.raw`"(?:[^"\\]|\\.)*"`;
const step = String.raw`(?:\.[A-Za-z_$][\w$]*|\[(?:${string}|\d+)\])`;
const typeTold = new RegExp(String.raw`\{type: (?:("\w+")|(schema\d+)(${step}+))\}`);
const added = String.raw`\};if\(vErrors === null\)\{vErrors = \[err\d+\];\}else \{vErrors\.push\(err\d+\);\}errors\+\+;`;
const number = String.raw`\(typeof \w+ == "number"\) && `;
const finite = String.raw`\(isFinite\(\w+\)\)`;

/** Printer of each token form. The first match wins. */
const forms: readonly (readonly [form: string, print: (token: string, to: Printer) => string])[] = [
  [String.raw`const err\d+ = \{${added}`, () => "(e??=[]).push({});"],
  [String.raw`const err\d+ = \{instancePath:`, (_token, to) => `${to.startOfError()}e,`],
  [String.raw`const err\d+ = \{instancePath,`, (_token, to) => `${to.startOfError()}e,p,`],
  [
    String.raw`schemaPath:${string},keyword:"type",params:\{type: (?:"\w+"|schema\d+${step}+)\}${added}`,
    (token, to) => to.typeOfError(token),
  ],
  [
    String.raw`schemaPath:${string},keyword:`,
    (_token, to) => {
      to.call("fail");
      return "";
    },
  ],
  [String.raw`,(?:params:(?=\{)|propertyName:(?! ))`, () => ","],
  [added, () => ");"],
  [
    String.raw`\[\{instancePath,schemaPath:${string},keyword:${string},params:\{\}\}\]`,
    (_token, to) => `${to.call("fail")}null,p,"false schema",{})`,
  ],
  [
    String.raw`\{instancePath="", parentData, parentDataProperty, rootData=data\}=\{\}`,
    () => 'p=""',
  ],
  [String.raw`\{instancePath(?=,parentData)`, () => "p"],
  [String.raw`\{instancePath:`, () => ""],
  [
    String.raw`,parentData(?::[\w.]+)?,parentDataProperty(?::(?:${string}|\w+))?,rootData\}`,
    () => "",
  ],
  [
    String.raw`vErrors = vErrors === null \? [\w.]+\.errors : vErrors\.concat\([\w.]+\.errors\);errors = vErrors\.length;`,
    (token, to) => {
      const callee = /\? ([\w.]+)\.errors/.exec(token)?.[1] ?? "";
      return `e=${to.call("more")}e,${to.name(callee)}.errors);`;
    },
  ],
  [String.raw`let errors = 0;|errors\+\+;|errors = _errs\d+;`, () => ""],
  [String.raw`errors === 0(?=;\})`, () => "e===null"],
  [
    String.raw`\w+ && typeof \w+ == "object" && !Array\.isArray\(\w+\)`,
    (token, to) => `${to.call("isObject")}${to.name(/\w+/.exec(token)?.[0] ?? "")})`,
  ],
  [
    String.raw`\(${number}\(!\(\w+ % 1\) && !isNaN\(\w+\)\)\) && ${finite}`,
    (token, to) => `Number.isInteger(${to.name(/typeof (\w+)/.exec(token)?.[1] ?? "")})`,
  ],
  [
    number + finite,
    (token, to) => `Number.isFinite(${to.name(/typeof (\w+)/.exec(token)?.[1] ?? "")})`,
  ],
  [String.raw`(?:root|wrapper)\d+\.validate(?:\(|\b)`, (token, to) => to.word(token)],
  // A string, or the name of a property.
  [String.raw`${string}|\.[A-Za-z_$][\w$]*`, (token) => token],
  [String.raw`func\d+\.call\(`, (_token, to) => to.call("own")],
  [String.raw`[A-Za-z_$][\w$]*(?:\(|\b)`, (token, to) => to.word(token)],
  [String.raw`(?<![\w$]) | (?![\w$])|;(?=\})`, () => ""],
];

const tokens = new RegExp(forms.map(([form]) => `(${form})`).join("|"), "g");
