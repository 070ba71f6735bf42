/**
 * Entry points of retired contracts. Code that was generated for such a contract still imports
 * their names, so every name exists. Loading the module fails with a sentence that says what to do.
 * `retired.json` lists the names, `{ "v1/http": { "values": […], "types": […] } }`. `exports` in
 * package.json point to `./dist/retired/v1/http.js`.
 */

/**
 * @param {string} subpath `v1/http`
 * @param {readonly string[]} names
 * @returns {string} an ES module
 */
export function retiredModule(subpath, names) {
  const [version] = subpath.split("/");
  const sentence = `this code was generated for contract ${version} of @skillc/runtime, which the installed version serves no more: run \`npx skillc generate\` with skillc of the same version`;
  const exported = names.map((name) => `export const ${name} = undefined;\n`);
  return `${exported.join("")}throw new Error(${JSON.stringify(sentence)});\n`;
}

/**
 * Returns declarations that accept any use in old code. Such code compiles, and fails when a
 * program loads it. Nested callbacks, which SQL tools have, then have no parameter types.
 *
 * @param {readonly string[]} values
 * @param {readonly string[]} types
 */
export function retiredTypes(values, types) {
  const any = ["A", "B", "C", "D", "E", "F"].map((name) => `${name} = any`).join(", ");
  return [
    // The function type gives the parameters of a passed callback a type. `any` alone would not.
    "type Anything = ((...args: any[]) => any) | string | number | boolean | null | undefined | object | readonly Anything[] | { readonly [name: string]: Anything };\n",
    ...values.map((name) => `export declare function ${name}<${any}>(...args: Anything[]): any;\n`),
    ...types.map((name) => `export type ${name}<${any}> = any;\n`),
  ].join("");
}
