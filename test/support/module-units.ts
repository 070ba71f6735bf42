/**
 * Divides a module into units that can change: functions by their short names (see `shortName`),
 * top-level values, and other statements. Types and comments belong to no unit.
 */
import { ts } from "ts-morph";
import { shortName } from "./reach-record.js";

export interface ModuleUnits {
  /**
   * Functions by short name. Functions with the same name are one unit. A named nested function is
   * not part of its outer function.
   */
  readonly functions: ReadonlyMap<string, Unit>;
  /** Constants and classes. */
  readonly values: ReadonlyMap<string, Unit>;
  /** Statements that run at load and declare nothing. */
  readonly rest: Unit;
  readonly imports: readonly Import[];
}

export interface Unit {
  readonly text: string;
  /** Top-level declarations that contain the unit. "" stands for `rest`. */
  readonly owners: ReadonlySet<string>;
}

export interface Import {
  readonly specifier: string;
  /** Name in the other module. "*" stands for all names. */
  readonly name: string;
  /** Name in this module. */
  readonly local: string;
  readonly isReexport: boolean;
}

/** Names of the units that differ between two versions of a module. */
export interface ChangedUnits {
  readonly functions: readonly string[];
  readonly values: readonly string[];
  readonly rest: boolean;
}

export function changedUnits(before: ModuleUnits, after: ModuleUnits): ChangedUnits {
  const changed = (kind: "functions" | "values") =>
    [...new Set([...before[kind].keys(), ...after[kind].keys()])].filter(
      (name) => before[kind].get(name)?.text !== after[kind].get(name)?.text,
    );
  return {
    functions: changed("functions"),
    values: changed("values"),
    rest: before.rest.text !== after.rest.text,
  };
}

/** Prints the types that a module declares, without inferred ones. */
export function typesOf(text: string): string {
  return ts.transpileDeclaration(text, { compilerOptions: { removeComments: true } }).outputText;
}

export function mentions({ text }: Unit, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!/[\w$]/.test(`${text[at - 1] ?? ""}${text[at + name.length] ?? ""}`)) return true;
  return false;
}

export function moduleUnits(text: string): ModuleUnits {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      removeComments: true,
    },
  });
  const source = ts.createSourceFile("module.js", outputText, ts.ScriptTarget.ESNext, true);
  return new Divider(source).divide();
}

class Divider {
  readonly #source: ts.SourceFile;
  readonly #functions = new Map<string, Unit>();
  readonly #values = new Map<string, Unit>();
  readonly #imports: Import[] = [];
  #rest = "";

  constructor(source: ts.SourceFile) {
    this.#source = source;
  }

  divide(): ModuleUnits {
    for (const statement of this.#source.statements) this.#take(statement);
    const named = (units: ReadonlyMap<string, Unit>) =>
      new Map([...units].map(([name, unit]) => [name, this.#withOrigins(unit)]));
    return {
      functions: named(this.#functions),
      values: named(this.#values),
      rest: this.#withOrigins({ text: this.#rest, owners: new Set([""]) }),
      imports: this.#imports,
    };
  }

  #take(statement: ts.Statement): void {
    if (ts.isImportDeclaration(statement) && statement.importClause) this.#import(statement);
    else if (ts.isExportDeclaration(statement)) this.#export(statement);
    else if (ts.isFunctionDeclaration(statement) && statement.name)
      this.#addFunction(statement.name.text, statement, statement.name.text);
    else if (ts.isClassDeclaration(statement) && statement.name)
      this.#addValue(statement.name.text, statement);
    else if (ts.isVariableStatement(statement))
      for (const declaration of statement.declarationList.declarations) this.#declare(declaration);
    else this.#rest += this.#textOf(statement, "");
  }

  #import(statement: ts.ImportDeclaration): void {
    const specifier = specifierOf(statement);
    const { name, namedBindings: bindings } = statement.importClause ?? {};
    const add = (from: string, local: ts.Identifier) =>
      this.#imports.push({ specifier, name: from, local: local.text, isReexport: false });
    if (name) add("default", name);
    if (bindings && ts.isNamespaceImport(bindings)) add("*", bindings.name);
    else
      for (const each of bindings?.elements ?? [])
        add((each.propertyName ?? each.name).text, each.name);
  }

  #export(statement: ts.ExportDeclaration): void {
    const specifier = specifierOf(statement);
    const { exportClause: clause } = statement;
    const named =
      clause && ts.isNamedExports(clause)
        ? clause.elements.map((each) => [(each.propertyName ?? each.name).text, each.name.text])
        : [["*", clause?.name.text ?? "*"]];
    for (const [name = "", local = ""] of named) {
      if (specifier !== "") this.#imports.push({ specifier, name, local, isReexport: true });
      if (specifier !== "" || name !== local)
        this.#values.set(local, { text: `${name} from ${specifier}`, owners: new Set([local]) });
    }
  }

  #declare(declaration: ts.VariableDeclaration): void {
    const { name, initializer } = declaration;
    if (ts.isIdentifier(name) && initializer && nameOf(initializer) === name.text)
      this.#addFunction(name.text, initializer, name.text);
    else for (const each of namesIn(name)) this.#addValue(each, declaration);
  }

  #addFunction(name: string, node: ts.Node, owner: string): void {
    const own = this.#textOf(node, owner);
    const { text = "", owners = [] } = this.#functions.get(name) ?? {};
    this.#functions.set(name, { text: text + own, owners: new Set([...owners, owner]) });
  }

  #addValue(name: string, node: ts.Node): void {
    this.#values.set(name, { text: this.#textOf(node, name), owners: new Set([name]) });
  }

  /**
   * Returns the text of a node with the names of its named functions in place of their text, and
   * adds the functions.
   */
  #textOf(node: ts.Node, owner: string): string {
    const { text } = this.#source;
    let result = "";
    let at = node.getStart();
    const visit = (child: ts.Node): void => {
      const name = nameOf(child);
      if (name === undefined) return ts.forEachChild(child, visit);
      this.#addFunction(name, child, owner);
      result += `${text.slice(at, child.getStart())} function ${name} `;
      at = child.end;
    };
    ts.forEachChild(node, visit);
    return `${result}${text.slice(at, node.end)}\n`.replace(/\s+/g, " ");
  }

  /**
   * Adds the modules of imported names to a unit, because the same name from another module is
   * another value.
   */
  #withOrigins(unit: Unit): Unit {
    const origins = this.#imports
      .filter(({ isReexport, local }) => !isReexport && mentions(unit, local))
      .map(({ specifier, name, local }) => `${local} is ${name} from ${specifier}`);
    return { ...unit, text: [unit.text, ...origins.toSorted()].join("\n") };
  }
}

const assignments: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsToken,
  ts.SyntaxKind.QuestionQuestionEqualsToken,
  ts.SyntaxKind.BarBarEqualsToken,
  ts.SyntaxKind.AmpersandAmpersandEqualsToken,
]);

/** The short name that V8 gives a function; undefined for other nodes and functions without a name. */
function nameOf(node: ts.Node): string | undefined {
  if (!ts.isFunctionLike(node)) return undefined;
  const { parent } = node;
  const named = ts.isConstructorDeclaration(node)
    ? node.parent.name
    : (node.name ??
      (ts.isVariableDeclaration(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isPropertyDeclaration(parent)
        ? parent.name
        : ts.isBinaryExpression(parent) && assignments.has(parent.operatorToken.kind)
          ? parent.left
          : undefined));
  return named === undefined ? undefined : shortName(named.getText()) || undefined;
}

function namesIn(name: ts.BindingName): readonly string[] {
  return ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((each) => (ts.isOmittedExpression(each) ? [] : namesIn(each.name)));
}

function specifierOf({ moduleSpecifier }: ts.ImportDeclaration | ts.ExportDeclaration): string {
  return moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : "";
}
