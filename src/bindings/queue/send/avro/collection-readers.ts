import { isPlainObject, type Reader, refuse } from "./reader.js";
import { within } from "./record-reader.js";

export function arrayReader(items: Reader): Reader {
  return {
    kinds: ["array"],
    read(value, fault) {
      if (!Array.isArray(value)) return refuse(fault, "type", "must be array");
      const list: unknown[] = [];
      for (let index = 0; index < value.length; index += 1) {
        const read = items.read(value[index], fault);
        if (read === undefined) return within(index, fault);
        list.push(read);
      }
      return list;
    },
  };
}

export interface MapReader extends Reader {
  readonly values: Reader;
}

export function mapReader(values: Reader): MapReader {
  return {
    kinds: ["object"],
    values,
    read(value, fault) {
      if (!isPlainObject(value)) return refuse(fault, "type", "must be object");
      // Without a prototype `__proto__` is a key as any other.
      const map = Object.create(null) as Record<string, unknown>;
      for (const [key, each] of Object.entries(value)) {
        if (each === undefined) continue;
        if (!key.isWellFormed())
          return refuse(fault, "text", "must have keys of well-formed Unicode");
        const read = values.read(each, fault);
        if (read === undefined) return within(key, fault);
        map[key] = read;
      }
      return map;
    },
  };
}
