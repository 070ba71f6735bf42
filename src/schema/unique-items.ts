import { _, type KeywordCxt } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { equalItems } from "../runtime/ajv.js";

/** Has `uniqueItems` find equal items by the runtime's helper: Ajv's own code compares each item with each. */
export function compareItemsOnce(ajv: Ajv2020): void {
  const definition = ajv.getKeyword("uniqueItems");
  if (typeof definition !== "object") throw new Error("ajv has no keyword uniqueItems");
  // Each Ajv has copies of the definitions, so this changes no other.
  Object.assign(definition, {
    code(context: KeywordCxt) {
      const { data, gen, schema } = context;
      if (schema !== true) return;
      const find = gen.scopeValue("func", { ref: equalItems, code: _`equalItems` });
      const found = gen.const("found", _`${find}(${data})`);
      context.setParams({ i: _`${found}.i`, j: _`${found}.j` });
      context.fail(_`${found} !== undefined`);
    },
  });
}
