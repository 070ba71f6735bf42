import { type JsonObject, type JsonSchema, type JsonValue, setOwn } from "../../core/json.js";
import { type Branch, listedIn } from "./branch.js";
import { branchesOf } from "./branches.js";
import { annotations, isExtension } from "../keywords.js";
import { schemaMapUnder, schemasUnder, textsUnder } from "../schema-tree.js";

/** More are not gone through one by one, where values of several parts make values together. What a schema lists itself has no limit. */
const mostValues = 64;

/** Parts that are looked into, and how deep they lie: a recursive schema has no end of them. */
const mostParts = 5000;
const deepest = 100;

type Values = readonly JsonValue[];

/** All values of a schema that names them, whole or part by part; undefined when they are many, or not known. */
export function fewValues(schema: JsonSchema, root: JsonSchema): Values | undefined {
  let left = mostParts;
  const at =
    (depth: number) =>
    (each: JsonSchema): Values | undefined => {
      left -= 1;
      if (left < 0 || depth > deepest) return undefined;
      return joined(branchesOf(each, root).map((form) => valuesOfForm(form, at(depth + 1))));
    };
  return at(0)(schema);
}

type Go = (schema: JsonSchema) => Values | undefined;

function joined(parts: readonly (Values | undefined)[]): Values | undefined {
  const known = parts.filter((each) => each !== undefined);
  const all = known.flat();
  return known.length === parts.length ? all : undefined;
}

function valuesOfForm(form: Branch, go: Go): Values | undefined {
  const listed = listedIn(form);
  if (listed !== undefined || form === true) return listed;
  if (form["type"] === "array") return valuesOfList(form, go);
  return form["type"] === "object" ? valuesOfObject(form, go) : undefined;
}

const understood = new Set(
  "type prefixItems items minItems maxItems properties required additionalProperties".split(" "),
);

/** What other keywords leave out is not known. */
function isUnderstood(form: JsonObject): boolean {
  return Object.keys(form).every(
    (name) => understood.has(name) || annotations.has(name) || isExtension(name),
  );
}

function valuesOfList(form: JsonObject, go: Go): Values | undefined {
  const items = schemasUnder(form, "prefixItems");
  if (form["items"] !== false || form["minItems"] !== items.length || !isUnderstood(form))
    return undefined;
  let lists: readonly Values[] = [[]];
  for (const item of items) {
    const values = go(item);
    if (values === undefined || lists.length * values.length > mostValues) return undefined;
    lists = lists.flatMap((list) => values.map((value) => [...list, value]));
  }
  return lists;
}

function valuesOfObject(form: JsonObject, go: Go): Values | undefined {
  if (form["additionalProperties"] !== false || !isUnderstood(form)) return undefined;
  const required = new Set(textsUnder(form, "required"));
  let objects: readonly JsonObject[] = [{}];
  for (const [name, schema] of schemaMapUnder(form, "properties")) {
    const values = go(schema);
    if (values === undefined) return undefined;
    const more = objects.flatMap((each) => values.map((value) => having(each, name, value)));
    objects = required.has(name) ? more : [...objects, ...more];
    if (objects.length > mostValues) return undefined;
  }
  return objects;
}

function having(object: JsonObject, name: string, value: JsonValue): JsonObject {
  const more = { ...object };
  setOwn<JsonValue>(more, name, value);
  return more;
}
