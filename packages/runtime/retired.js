/**
 * The entry points of a contract that the runtime serves no more. Code that was generated for it still imports their names, so each is there; importing the
 * module fails with one sentence that says what to do. `retired.json` lists them, `{ "v1/http": { "values": […], "types": […] } }`, and package.json's
 * `exports` lead to `./dist/retired/v1/http.js`.
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
 * Declarations that take whatever old code says of them: it compiles, and says so when it is imported. Callbacks inside of callbacks, which SQL tools have,
 * are without a type then.
 *
 * @param {readonly string[]} values
 * @param {readonly string[]} types
 */
export function retiredTypes(values, types) {
  const any = ["A", "B", "C", "D", "E", "F"].map((name) => `${name} = any`).join(", ");
  return [
    // A callback in what is passed has parameters of a type: `any` alone would leave it without.
    "type Anything = ((...args: any[]) => any) | string | number | boolean | null | undefined | object | readonly Anything[] | { readonly [name: string]: Anything };\n",
    ...values.map((name) => `export declare function ${name}<${any}>(...args: Anything[]): any;\n`),
    ...types.map((name) => `export type ${name}<${any}> = any;\n`),
  ].join("");
}
