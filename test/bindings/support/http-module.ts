import type { SchemaCode } from "../../../src/kit/binding-emission.js";
import { httpBinding } from "../../../src/bindings/http/index.js";
import { renderTemplate } from "../../../src/compiler/emit/render-template.js";
import {
  type Code,
  code,
  imported,
  importsOf,
  join,
  nothing,
  printCode,
} from "../../../src/core/code.js";
import type { SchemaModel } from "../../../src/core/skill-model.js";
import { emitTypes } from "../../../src/schema/emit-types.js";
import { format } from "prettier";
import { httpTool } from "./http-tool.js";

export interface HttpModule {
  /** Code of the binding, formatted. */
  readonly binding: string;
  readonly data: string;
  readonly result: string;
  /** A whole module. It type-checks only if all its parts fit together. */
  readonly module: string;
  readonly bindingCode: Code;
}

/** Emits a module for a tool without errors. */
export async function httpModule(yaml: string): Promise<HttpModule> {
  const { diagnostics, resolved, tool, lines } = httpTool(yaml);
  const isFaulty = diagnostics.some(({ severity }) => severity === "error");
  if (resolved === undefined || tool === undefined || isFaulty) {
    throw new Error(`the tool has faults:\n${lines.join("\n")}`);
  }
  const declarations: Code[] = [];
  const typed = async (schema: SchemaModel, name: string, form: "stated" | "filled") => {
    const types = await emitTypes({ schema, name, form });
    declarations.push(types.declarations);
    return types.type;
  };
  const validated = async (schema: SchemaModel, name: string): Promise<SchemaCode> => {
    const type = await typed(schema, name, "stated");
    const validator = code`(null as never as ${imported("@skillc/runtime", "Validator", true)}<${type}>)`;
    return { type, validator };
  };
  const argumentsType = await typed(tool.parameters, "HandleOrderArguments", "filled");
  const schemas: Record<string, SchemaCode> = {};
  for (const [role, schema] of Object.entries(httpBinding.schemas(resolved.config))) {
    schemas[role] = await validated(
      schema,
      `HandleOrder${role.charAt(0).toUpperCase()}${role.slice(1)}`,
    );
  }
  const emission = httpBinding.emit({
    toolId: "order-desk/handle-order",
    tool,
    binding: tool.binding,
    config: resolved.config,
    typeStem: "HandleOrder",
    argumentsType,
    params: await validated(tool.parameters, "HandleOrderParams"),
    schemas,
    companionModule: (suffix) => `./handle-order.${suffix}.js`,
    runtime: (name) => {
      const entries = [httpBinding.runtime, ...(httpBinding.furtherRuntime ?? [])];
      const entry = entries.find(({ values }) => values.includes(name)) ?? httpBinding.runtime;
      return imported(entry.module, name, entry.types.includes(name));
    },
  });
  const binding = renderTemplate(httpBinding.template, emission.view);
  const result = emission.answerType(code`Data`);
  const bindingType = imported("@skillc/runtime", "Binding", true);
  const body = join([
    ...declarations,
    code`\nexport type Data = ${emission.dataType};\nexport type Result = ${result};\n`,
    code`export const binding: ${bindingType}<${argumentsType}, Result> = ${binding};\n`,
  ]);
  return {
    binding: await formatted(binding),
    data: printCode(emission.dataType),
    result: printCode(result),
    module: `${importLines(body)}${printCode(body)}`,
    bindingCode: binding ?? nothing,
  };
}

async function formatted(binding: Code): Promise<string> {
  const text = await format(`x = ${printCode(binding)}`, { parser: "typescript", printWidth: 100 });
  return text.replace(/^x = /, "").replace(/;\n$/, "");
}

function importLines(body: Code): string {
  const names = new Map(importsOf(body).map((each) => [`${each.module} ${each.name}`, each]));
  return [...names.values()]
    .map(
      ({ module, name, typeOnly }) =>
        `import { ${typeOnly ? "type " : ""}${name} } from "${module}";\n`,
    )
    .join("");
}
