import { posix } from "node:path";
import type { View } from "../../kit/binding-emission.js";
import type { TemplateSource } from "../../kit/binding.js";
import { loadTemplate } from "../../kit/load-template.js";
import {
  type Code,
  code,
  type ImportedName,
  ident,
  importsOf,
  join,
  literal,
  nothing,
  ofPieces,
  piecesOf,
  statements,
} from "../../core/code.js";
import { compareText } from "../../core/report.js";
import { renderTemplate } from "./render-template.js";

const importsTemplate: TemplateSource = loadTemplate("imports");

/**
 * Makes a whole module: the imports that the body requests, sorted, then the body. A requested name
 * that the module declares itself gets an alias.
 *
 * @param declared names that the body declares at its top level
 */
export function frameModule(body: Code, declared: ReadonlySet<string>): Code {
  const names = chooseLocals(importsOf(body), declared);
  const view: View = { imports: importViews(names).map((each) => ({ ...each })) };
  return statements([renderTemplate(importsTemplate, view), renamed(body, names)]);
}

/**
 * Makes the module as single statements, beginning with the import declarations.
 *
 * @param declared names that the body declares at its top level
 */
export function frameStatements(
  body: readonly Code[],
  declared: ReadonlySet<string>,
): readonly Code[] {
  const names = chooseLocals(importsOf(join(body)), declared);
  return [
    ...importViews(names).map(importText),
    ...body.map((statement) => renamed(statement, names)),
  ];
}

function importText({ module, names, typeOnly }: ImportView): Code {
  return code`import ${typeOnly ? code`type ` : nothing}{ ${names} } from ${module};`;
}

interface ImportView {
  readonly typeOnly: boolean;
  readonly names: Code;
  readonly module: Code;
}

interface LocalName extends ImportedName {
  readonly local: string;
}

function keyOf({ module, name }: ImportedName): string {
  return `${module}\0${name}`;
}

/** Chooses one local name for each import. A value import also serves as a type. */
function chooseLocals(
  wanted: readonly ImportedName[],
  declared: ReadonlySet<string>,
): ReadonlyMap<string, LocalName> {
  const taken = new Set(declared);
  const locals = new Map<string, LocalName>();
  for (const each of [...wanted].toSorted(byModuleThenName)) {
    const before = locals.get(keyOf(each));
    if (before !== undefined) {
      locals.set(keyOf(each), { ...before, typeOnly: before.typeOnly && each.typeOnly });
      continue;
    }
    const local = freeName(each, taken);
    taken.add(local);
    locals.set(keyOf(each), { ...each, local });
  }
  return locals;
}

/**
 * Returns the name, or the name with its origin: `text` of `@skillc/runtime/v1/http` becomes
 * `httpText`, of `@skillc/runtime/v1` `runtimeText`.
 */
function freeName({ module, name }: ImportedName, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const source = module.replace(/\/v\d+$/, "");
  const origin = posix.basename(source, ".js").replace(/[^A-Za-z]/g, "") || "other";
  const named = `${origin}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  if (!taken.has(named)) return named;
  let count = 2;
  while (taken.has(`${named}${count}`)) count += 1;
  return `${named}${count}`;
}

/** Sorts packages before the project's own files, and names without regard to case. */
function byModuleThenName(a: ImportedName, b: ImportedName): number {
  const own = Number(a.module.startsWith(".")) - Number(b.module.startsWith("."));
  const names =
    compareText(a.name.toLowerCase(), b.name.toLowerCase()) || compareText(a.name, b.name);
  return own || compareText(a.module, b.module) || names;
}

function importViews(locals: ReadonlyMap<string, LocalName>): readonly ImportView[] {
  const modules = new Map<string, LocalName[]>();
  for (const each of [...locals.values()].toSorted(byModuleThenName)) {
    modules.set(each.module, [...(modules.get(each.module) ?? []), each]);
  }
  return [...modules].map(([module, names]) => {
    const typeOnly = names.every((each) => each.typeOnly);
    const specifiers = names.map((each) => specifier(each, typeOnly));
    return { typeOnly, names: join(specifiers, code`, `), module: literal(module) };
  });
}

function specifier({ name, local, typeOnly }: LocalName, allTypes: boolean): Code {
  const marked = typeOnly && !allTypes ? code`type ${ident(name)}` : ident(name);
  return name === local ? marked : code`${marked} as ${ident(local)}`;
}

function renamed(body: Code, locals: ReadonlyMap<string, LocalName>): Code {
  return ofPieces(
    piecesOf(body).map((piece) => {
      const local = piece.imported && locals.get(keyOf(piece.imported))?.local;
      return local === undefined ? piece : { ...piece, text: local };
    }),
  );
}
