/**
 * Arguments with which Node.js runs TypeScript. Newer versions deprecate the loader's method, and
 * would print a warning on standard error.
 */
export const loaderArgs = ["--disable-warning=DEP0205", "--import", "jiti/register"];
