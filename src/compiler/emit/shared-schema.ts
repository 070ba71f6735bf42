/**
 * The modules of shared schemas: a type module and a validator module for each form in use, and for
 * catalogs a module with the schema itself. Their content depends only on the schema and the form,
 * never on the importing module.
 */
import { posix } from "node:path";
import { at, imported } from "../../core/code.js";
import { isJsonObject } from "../../core/json.js";
import type { DraftFile } from "../../core/output.js";
import type { SchemaModel, SharedSchema } from "../../core/skill-model.js";
import { emitTypes } from "../../schema/emit-types.js";
import { emitValidators, type ImportedValidator } from "../../schema/emit-validators.js";
import type { SchemaForm } from "../../schema/form.js";
import { annotations, isExtension } from "../../schema/keywords.js";
import { sharedByName } from "../../schema/place-at.js";
import { aloneOf, sharedUses } from "../../schema/shared-uses.js";
import type { ImportedType } from "../../schema/type-layout.js";
import { hasSchemaModule, schemaModule } from "./common-schema.js";
import { moduleOf, type SharedUse, specifier, typeNameOf } from "./shared-use.js";
import { verbatimModule } from "./verbatim-module.js";

/** Types and validators that a module imports from modules of other schemas. */
export interface TakenSchemas {
  readonly types: ReadonlyMap<string, ImportedType>;
  readonly validators: ReadonlyMap<string, ImportedValidator>;
  readonly uses: readonly SharedUse[];
}

/**
 * Returns the shared schemas that a document imports.
 *
 * @param folder folder of the importing module, below the output folder
 * @param itself the shared schema that the document is, if any
 */
export function takenSchemas(
  model: SchemaModel,
  form: SchemaForm,
  folder: string,
  itself?: SharedSchema,
): TakenSchemas {
  const shared = sharedByName(model.shared ?? []);
  const found = (isForValidator: boolean): readonly SharedUse[] =>
    [...sharedUses(model, form, isForValidator).imports].flatMap(([name, each]) => {
      const of = shared.get(name);
      return of === undefined || of === itself ? [] : [{ shared: of, form: each }];
    });
  const [forTypes, forValidators] = [found(false), form === "filled" ? [] : found(true)];
  return {
    types: new Map(
      forTypes.map((each) => [
        each.shared.name,
        { module: specifier(folder, `${moduleOf(each)}.js`), name: typeNameOf(each) },
      ]),
    ),
    validators: new Map(
      forValidators.map((each) => [
        each.shared.name,
        { module: specifier(folder, `${moduleOf(each)}.validate.js`), name: validatorNameOf(each) },
      ]),
    ),
    uses: [...forTypes, ...forValidators],
  };
}

/**
 * The validator of a shared schema, if the document is only a reference to this schema.
 *
 * @param folder folder of the importing module, below the output folder
 */
export function referredValidator(
  model: SchemaModel,
  form: SchemaForm,
  folder: string,
): ImportedValidator | undefined {
  const { schema } = model;
  if (!isJsonObject(schema)) return undefined;
  const says = Object.keys(schema).filter(
    (key) => !annotations.has(key) && !isExtension(key) && !structure.has(key),
  );
  const reference = schema["$ref"];
  if (says.length !== 1 || typeof reference !== "string") return undefined;
  const name = reference.startsWith(definitions) ? reference.slice(definitions.length) : "";
  const { copies } = sharedUses(model, form, true);
  return copies.has(name) ? undefined : takenSchemas(model, form, folder).validators.get(name);
}

const definitions = "#/$defs/";

const structure: ReadonlySet<string> = new Set(["$schema", "$defs"]);

/** Emits the modules of a shared schema in one form. Also returns the schemas that they import. */
export async function emitShared(
  use: SharedUse,
  all: readonly SharedSchema[],
): Promise<{ readonly drafts: readonly DraftFile[]; readonly uses: readonly SharedUse[] }> {
  const { form, shared } = use;
  const model = aloneOf(shared, all);
  const module = moduleOf(use);
  const folder = posix.dirname(module);
  const taken = takenSchemas(model, form, folder, shared);
  const source = shared.span.file;
  const name = typeNameOf(use);
  const itself = shared.name;
  const types = await emitTypes({ schema: model, name, form, imports: taken.types, itself });
  const statements = types.statements.map((each) => at(shared.span, each));
  const typeModule: DraftFile = {
    path: `${module}.ts`,
    source,
    body: verbatimModule(statements, types.names),
  };
  // No code validates values after their defaults were filled in.
  if (form === "filled") return { drafts: [typeModule], uses: taken.uses };
  const type = imported(`./${posix.basename(module)}.js`, name, true);
  const validators = emitValidators([
    {
      exportName: validatorNameOf(use),
      schema: model,
      form,
      type,
      itself,
      imports: taken.validators,
    },
  ]);
  const validatorModule: DraftFile = {
    path: `${module}.validate.ts`,
    source,
    body: { kind: "verbatim", code: validators },
  };
  const data = hasSchemaModule(use, all) ? [schemaModule(use, all)] : [];
  return { drafts: [typeModule, validatorModule, ...data], uses: taken.uses };
}

function validatorNameOf(use: SharedUse): string {
  return `validate${typeNameOf(use)}`;
}
