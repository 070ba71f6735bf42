/** What a test passes to Node so that it runs TypeScript. Newer versions of Node.js deprecate how the loader does that, and would say so on standard error. */
export const loaderArgs = ["--disable-warning=DEP0205", "--import", "jiti/register"];
