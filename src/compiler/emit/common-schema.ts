/**
 * Common schemas: every skill may use them, because their files are outside of the skills' folders.
 * A common schema has the same name and text in all catalogs, so all catalogs import it from one
 * module.
 */
import { code, type Code, ident, imported, jsonOfStatement } from "../../core/code.js";
import { isJsonObject, type JsonSchema } from "../../core/json.js";
import type { DraftFile } from "../../core/output.js";
import type { SharedSchema } from "../../core/skill-model.js";
import { publishedShared } from "../../schema/as-published.js";
import { forms, type SchemaForm } from "../../schema/form.js";
import { aloneOf } from "../../schema/shared-uses.js";
import { moduleOf, type SharedUse, specifier, typeNameOf } from "./shared-use.js";
import { uncheckedData, verbatimModule } from "./verbatim-module.js";

/** Folder of the modules of these schemas, below the output folder. */
const folder = "schemas/";

/**
 * The name of a schema in the `$defs` of each catalog: `docusign.userInfo`. Undefined if the schema
 * belongs to a skill, or refers to one that does.
 */
export function commonName(shared: SharedSchema, all: readonly SharedSchema[]): string | undefined {
  const { shared: closure = [] } = aloneOf(shared, all);
  if (!closure.every(({ module }) => module.startsWith(folder))) return undefined;
  return shared.module.slice(folder.length).replaceAll("/", ".");
}

/** The name of a schema in one form. */
export function inForm(name: string, form: SchemaForm): string {
  return form === "stated" ? name : `${name}.${form}`;
}

/** The names of a schema in all forms. */
export function inForms(name: string): readonly string[] {
  return forms.map((form) => inForm(name, form));
}

interface PublishedCommon {
  readonly schema: JsonSchema;
  /** Schemas that it refers to. */
  readonly uses: readonly SharedUse[];
}

const published = new WeakMap<SharedSchema, Map<SchemaForm, PublishedCommon>>();

/** The schema as each catalog publishes it. Computed once for all skills. */
export function publishedCommon(
  { form, shared }: SharedUse,
  all: readonly SharedSchema[],
): PublishedCommon {
  const forms = published.get(shared) ?? new Map<SchemaForm, PublishedCommon>();
  published.set(shared, forms);
  const known = forms.get(form);
  if (known !== undefined) return known;
  const uses: SharedUse[] = [];
  const nameOf = (other: SharedSchema, each: SchemaForm): string => {
    uses.push({ shared: other, form: each });
    return inForm(commonName(other, all) ?? other.name, each);
  };
  const made = { schema: publishedShared(shared, all, form, { nameOf }), uses };
  forms.set(form, made);
  return made;
}

/**
 * Checks if catalogs import the schema. Each catalog writes the schemas `true` and `false` itself.
 */
export function hasSchemaModule(use: SharedUse, all: readonly SharedSchema[]): boolean {
  return (
    commonName(use.shared, all) !== undefined && isJsonObject(publishedCommon(use, all).schema)
  );
}

/** The module with the schema as data. */
export function schemaModule(use: SharedUse, all: readonly SharedSchema[]): DraftFile {
  const name = schemaNameOf(use);
  const data = jsonOfStatement(publishedCommon(use, all).schema);
  // Without a type, TypeScript would derive one from all of the data.
  const statement = code`export const ${ident(name)}: object = ${data};`;
  return {
    path: `${moduleOf(use)}.schema.ts`,
    source: use.shared.span.file,
    body: verbatimModule([statement], new Set([name]), uncheckedData),
  };
}

/** Imports the schema from its module. */
export function importedSchema(use: SharedUse, intoFolder: string): Code {
  return imported(specifier(intoFolder, `${moduleOf(use)}.schema.js`), schemaNameOf(use));
}

function schemaNameOf(use: SharedUse): string {
  const name = typeNameOf(use);
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}Schema`;
}
