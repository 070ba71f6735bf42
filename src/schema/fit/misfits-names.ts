import { quote } from "../../core/names.js";
import type { JsonObject } from "../../core/json.js";
import { acceptor } from "./accepts-value.js";
import type { Comparing, Misfit } from "./misfit.js";
import { isClosed, mayHave } from "./property-schema.js";
import { asSchema, schemaMapUnder } from "../schema-tree.js";

/** Names of properties that are not wanted, or may not be. */
export function nameMisfits(
  given: JsonObject,
  wanted: JsonObject,
  { compare, given: givenRoot, wanted: root }: Comparing,
): readonly Misfit[] {
  const names = asSchema(wanted["propertyNames"]);
  const accepts = acceptor({ schema: names, root });
  const isGiven = acceptor({ schema: asSchema(given["propertyNames"]), root: givenRoot });
  const declared = schemaMapUnder(given, "properties").map(([name]) => name);
  const refused = declared.find((name) => !accepts(name) && mayHave(given, name) && isGiven(name));
  if (refused !== undefined) return [misfit("no", `has the property ${quote(refused)}`)];
  if (isClosed(given)) return [];
  const [own, others] = [asSchema(given["propertyNames"]), names].map((each) => ({
    allOf: [{ type: "string" }, each],
  }));
  const [found] = compare(own ?? true, others ?? true);
  if (found === undefined) return [];
  const may = misfit("unsure", "may have properties of other names");
  return [{ ...may, ...(found.state && { state: { propertyNames: found.state } }) }];
}

function misfit(fit: Misfit["fit"], given: string): Misfit {
  return { path: [], kind: "value", fit, given, wanted: "takes no such name" };
}
