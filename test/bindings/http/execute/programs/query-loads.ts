/** Says whether the JSONPath engine is loaded, before and after the first query. */
import { createRequire } from "node:module";
import { selector } from "../../../../../src/bindings/http/execute.js";

const { cache } = createRequire(import.meta.url);
const isLoaded = (): boolean => Object.keys(cache).some((path) => path.includes("json-p3"));
const before = isLoaded();
selector("$.a");
console.log(before, isLoaded());
