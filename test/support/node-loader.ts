/**
 * Arguments that make Node.js run TypeScript. Newer versions deprecate the loader's method, so the
 * first argument hides their warning.
 */
export const loaderArgs = ["--disable-warning=DEP0205", "--import", "jiti/register"];
