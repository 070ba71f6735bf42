import { expect, test } from "vitest";
import { typeErrors } from "../bindings/support/type-check.js";

/** A module that compares the type of data with `count` properties, after obligations, with another. */
function compared(count: number, obligations: readonly string[], seen: string): string {
  const names = Array.from({ length: count }, (_, index) => `m${index}: string;`);
  return `
import * as v1 from "@skillc/runtime/v1";
interface Item { ${names.join(" ")} }
interface Answer { readonly status: "success"; readonly data: { item: Item; items: Item[] } }
type Data = v1.Obliged<Answer, [${obligations.join(", ")}]>["data"];
type Function<Type> = <T>() => T extends Type ? 1 : 2;
export const same: Function<Data> extends Function<${seen}> ? true : false = true;
`;
}

test.each([50, 200])("%i obligations of one answer type-check", (count) => {
  const range = Array.from({ length: count }, (_, index) => index);
  const each = (change: string) =>
    range.map((index) => `{ do: ${change}; at: ["items", "*", "m${index}"] }`);
  const items = (type: string) => `{ item: Item; items: ${type}[] }`;
  const masked = items("{ [Key in keyof Item]: v1.Masked }");
  expect(
    typeErrors({
      mask: compared(count, each('"mask"'), masked),
      drop: compared(count, each('"drop"'), items("Partial<Item>")),
      watermark: compared(
        count,
        range.map((index) => `{ do: "watermark"; nr: ${index} }`),
        items("Item"),
      ),
    }),
  ).toEqual([]);
});
