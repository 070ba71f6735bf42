/**
 * A name that comes from outside (a header, a tool, a property, a keyword) may be `constructor` or
 * `__proto__`, which every plain object seems to have. So no name is looked up in one without
 * asking for an own property.
 */
import { dirname, join } from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { ts } from "ts-morph";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url)).replaceAll("\\", "/");

/** Types of the language, which are beside the compiler that the project checks itself with. */
const libraries = (() => {
  const require = createRequire(join(root, "node_modules/typescript/package.json"));
  const platform = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
  return join(dirname(require.resolve(platform)), "lib");
})();

function programOf(): ts.Program {
  const config = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const all = { ...options, noEmit: true, skipLibCheck: true };
  const host = ts.createCompilerHost(all);
  host.getDefaultLibLocation = () => libraries;
  host.getDefaultLibFileName = (given) => join(libraries, ts.getDefaultLibFileName(given));
  const own = fileNames.filter((name) => name.startsWith(`${root}src/`));
  return ts.createProgram(own, all, host);
}

/** A read by a name of any text; tuples, lists and names of a closed type are none. */
function readsByName(checker: ts.TypeChecker, node: ts.Node): boolean {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword)
    return isAnyText(checker, node.left) && node.right.getText() !== "Object.prototype";
  if (!ts.isElementAccessExpression(node) || isWritten(node)) return false;
  return isAnyText(checker, node.argumentExpression);
}

function isAnyText(checker: ts.TypeChecker, node: ts.Node): boolean {
  if (ts.isPrivateIdentifier(node)) return false;
  const type = checker.getTypeAtLocation(node);
  const text = ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral | ts.TypeFlags.Any;
  return (type.isUnion() ? type.types : [type]).some(({ flags }) => (flags & text) !== 0);
}

function isWritten(node: ts.ElementAccessExpression): boolean {
  const { parent } = node;
  return (
    ts.isDeleteExpression(parent) ||
    (ts.isBinaryExpression(parent) &&
      parent.left === node &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
  );
}

/** Whether the function around asks if the property is the object's own, or lists those. */
function asksForOwn(node: ts.Node): boolean {
  const object = ts.isElementAccessExpression(node) ? plain(node.expression) : undefined;
  const around = ts.findAncestor(
    node,
    (each) => ts.isFunctionLike(each) && !ts.isArrowFunction(each),
  );
  const text = (around ?? node.getSourceFile()).getText();
  const guards = ["Object.hasOwn(", "Object.keys(", "Object.entries(", " in "];
  return object !== undefined && guards.some((guard) => text.includes(`${guard}${object}`));
}

/** The object's own expression: `value` of `(value as Record<string, unknown>)`. */
function plain(node: ts.Expression): string {
  const isWrapped = ts.isParenthesizedExpression(node) || ts.isAsExpression(node);
  return isWrapped ? plain(node.expression) : node.getText();
}

function lookUps(): readonly string[] {
  const program = programOf();
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const file of program.getSourceFiles()) {
    if (!file.fileName.startsWith(`${root}src/`)) continue;
    const visit = (node: ts.Node): void => {
      if (readsByName(checker, node) && !asksForOwn(node))
        found.push(
          `${file.fileName.slice(root.length)}: ${node.getText().replaceAll(/\s+/g, " ")}`,
        );
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return [...new Set(found)];
}

/** Why the rest is safe: the names are the code's own, or the object inherits nothing. */
const reviewed: Readonly<Record<string, readonly string[]>> = {
  "keywords of JSON Schema, from tables of the code's own": [
    "src/kit/common-keys.ts: schema[key]",
    "src/bindings/sql/infer.ts: own[keyword]",
    "src/compiler/compare-tools/schema-places.ts: part[keyword]",
    "src/compiler/compare-tools/schema-places.ts: parts.find((each) => Object.hasOwn(each, keyword))?.[keyword]",
    "src/import/openapi/skills/discriminator.ts: converted[each]",
    "src/import/openapi/skills/discriminator.ts: converted[key]",
    "src/import/openapi/skills/convert-schema.ts: converted[key]",
    "src/import/openapi/skills/convert-schema.ts: key in branch",
    "src/import/openapi/skills/convert-schema.ts: schemaNow[key]",
    "src/runtime/model/fit-schema.ts: schema[keyword]",
    "src/runtime/model/schema-places.ts: each[keyword]",
    "src/runtime/model/schema-places.ts: schema[keyword]",
    "src/runtime/validation/checks.ts: object[name]",
    "src/schema/compare/compare-scalars.ts: given[words.least]",
    "src/schema/compare/compare-scalars.ts: given[words.most]",
    "src/schema/compare/compare-scalars.ts: wanted[words.least]",
    "src/schema/compare/compare-scalars.ts: wanted[words.most]",
    "src/schema/compare/conditions.ts: byNames[keyword]",
    "src/schema/compare/conditions.ts: checks[keyword]",
    "src/schema/compare/conditions.ts: part[keyword]",
    "src/schema/compare/conditions.ts: wanted[each]",
    "src/schema/compare/disjoint.ts: form[keyword]",
    "src/schema/compare/disjoint.ts: schema[keyword]",
    "src/schema/compare/no-value.ts: each.schema[keyword]",
    "src/schema/compare/no-value.ts: form[keyword]",
    "src/schema/compare/no-value.ts: form[least]",
    "src/schema/compare/no-value.ts: form[most]",
    "src/schema/compare/normal-form.ts: each[keyword]",
    "src/schema/compare/normal-form.ts: one[keyword]",
    "src/schema/compare/normal-form.ts: one[name]",
    "src/schema/compare/normal-form.ts: other[keyword]",
    "src/schema/compare/normal-form.ts: other[name]",
    "src/schema/compare/normal-form.ts: schema[keyword]",
    "src/schema/compare/normal-form.ts: schema[name]",
    "src/schema/compare/normal-form.ts: typesOf[keyword]",
    "src/schema/compare/same-schema.ts: own[name]",
    "src/schema/compare/values.ts: this.#schema[keyword]",
    "src/schema/int64-text.ts: schema[keyword]",
    "src/schema/schema-spans.ts: schema[keyword]",
    "src/schema/schema-tree.ts: schema[keyword]",
    "src/schema/shape-of-schema.ts: schema[each]",
    "src/schema/shape-of-schema.ts: schema[keyword]",
    "src/schema/silent.ts: own[each]",
    "src/schema/type-layout.ts: schema[keyword]",
    "src/schema/validator-schema.ts: schema[keyword]",
  ],
  "names of a closed set, which the code itself writes": [
    "src/runtime/governance/store/folder/approval-files.ts: value[name]",
    "src/bindings/http/emit/answers.ts: schemas[role]",
    "src/bindings/kind-settings.ts: config.settings[key]",
    "src/bindings/kind-settings.ts: settings[each.key]",
    "src/bindings/kind-settings.ts: settings[kind.settings.key]",
    "src/bindings/queue/send/names.ts: field in place",
    "src/bindings/queue/send/names.ts: rules[field]",
    "src/bindings/queue/send/names.ts: target[field]",
    "src/bindings/queue/send/reach.ts: target[field]",
    "src/bindings/queue/send/registry/address.ts: rulesOf(target)[field]",
    "src/bindings/queue/send/registry/address.ts: target[field]",
    "src/bindings/queue/target.ts: rules[each.field]",
    "src/cli/commands/docs.ts: languages[ending]",
    "src/cli/commands/generated-tools.ts: entry[key]",
    "src/cli/commands/generated-tools.ts: value[key]",
    'src/import/database/read-tools.ts: filterWords[[each.form, each.end ?? []].flat().join(" ")]',
    "src/runtime/http/requested-pause.ts: headers[name]",
    "src/runtime/validation/problem-message.ts: typePhrases[String(each)]",
  ],
  "columns of the code's own queries, and letters of PostgreSQL's catalogue": [
    "src/bindings/sql/database/read-snapshot.ts: row[column]",
    "src/bindings/sql/database/read-snapshot.ts: words[text(row, column)]",
    'src/bindings/sql/tables/read-tables.ts: kinds[textIn(row, "kind")]',
    "src/bindings/sql/tables/read-tables.ts: row[column]",
    "src/runtime/ledger/postgres/tables.ts: row[column]",
    "src/runtime/ledger/postgres/verify.ts: row[name]",
  ],
  "one character, or digits": [
    "src/bindings/http/send/i-regexp.ts: signs[sign]",
    "src/cli/console/time-option.ts: units[ago[2]]",
    "src/cli/ledger/report/html/html.ts: entities[char]",
    "src/cli/optimize-late.ts: flags[major]",
    "src/compiler/parse/scalar-spelling.ts: escapes[letter]",
    "src/compiler/parse/scalar-spelling.ts: hexDigits[letter]",
    "src/import/openapi/skills/draft-answers.ts: STATUS_CODES[code]",
    "src/import/openapi/skills/draft-answers.ts: names[code]",
  ],
  "ids with a slash, and pointers": [
    "src/bindings/plan/compile/emit.ts: input.dependencies?.[step.toolId]",
    "src/compiler/emit/policy.ts: tools[id]",
    "src/core/report.ts: entries[diagnostic.code]",
  ],
  "properties that were listed just before, or that the code itself set": [
    "src/bindings/queue/avro/named-unions.ts: alike[one]",
    "src/bindings/queue/providers/kafka/send/open-kafka.ts: values[name]",
    "src/cli/cache/packs.ts: packs[pack]",
    "src/runtime/call/mask.ts: copy[name]",
    "src/runtime/equal.ts: record[name]",
    "src/runtime/files/give-file.ts: all[key]",
    "src/runtime/json/json.ts: (value as { readonly [name: string]: unknown } | undefined)?.[name]",
    "src/runtime/validation/validation.ts: (at as Record<string, unknown>)[name]",
    "src/schema/ajv-instance.ts: formats[name]",
    "src/schema/ajv-internals.ts: self.formats[name]",
    "src/schema/lean-keywords.ts: context.it.self.formats[format]",
    "src/schema/shorten-code.ts: (at as Readonly<Record<string, unknown>>)[String(key)]",
  ],
  "modules and environments, which inherit nothing or are asked for fixed names": [
    "src/bindings/sql/send/extensions.ts: module[file]",
    "src/cli/commands/project-call.ts: exports[tool.functionName]",
    "src/import/openapi/read/proxy.ts: environment[name.toLowerCase()]",
    "src/import/openapi/read/proxy.ts: environment[name]",
  ],
};

test(
  "no name from outside is looked up in an object that inherits members",
  { timeout: 300_000 },
  () => {
    expect(lookUps().toSorted()).toEqual(Object.values(reviewed).flat().toSorted());
  },
);
