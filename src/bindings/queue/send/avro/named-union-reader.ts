import { isPlainObject, type Reader, refuse } from "./reader.js";
import { within } from "./record-reader.js";
import type { BranchReader } from "./union-reader.js";

/** Null, or an object whose one property is named like the branch that its value is of, as in Avro's own JSON. */
export function namedUnionReader(branches: ReadonlyMap<string, BranchReader>): Reader {
  const mayBeNull = branches.has("null");
  const names = [...branches.keys()].filter((name) => name !== "null");
  const message = `must be an object that names one of ${names.join(", ")}`;
  return {
    kinds: mayBeNull ? ["null", "object"] : ["object"],
    read(value, fault) {
      if (value === null && mayBeNull) return null;
      if (!isPlainObject(value)) return refuse(fault, "type", message);
      const [given, ...others] = Object.entries(value).filter(([, each]) => each !== undefined);
      const [name, inner] = given ?? [""];
      const branch = name === "null" ? undefined : branches.get(name);
      if (branch === undefined || others.length > 0) return refuse(fault, "anyOf", message);
      const read = branch.reader.read(inner, fault);
      return read === undefined ? within(name, fault) : branch.wrap(read);
    },
  };
}
