/**
 * The error for an optional package that is not installed, such as a database driver. The message
 * says how to install the package.
 */
export class MissingPackage extends Error {
  override readonly name = "MissingPackage";
  readonly packageName: string;

  constructor(packageName: string, cause: unknown) {
    super(`the package \`${packageName}\` is not installed: run \`npm install ${packageName}\``, {
      cause,
    });
    this.packageName = packageName;
  }
}

/**
 * Makes a handler for failed imports that names the missing package; Node.js would name a file of
 * this package. Use it as `import("pg").catch(ifMissing("pg"))`. The `catch` must be called on the
 * import itself, so that bundlers leave out packages that are not installed.
 *
 * @returns a function that throws `MissingPackage`, or the given error if it has another cause
 */
export function ifMissing(packageName: string): (error: unknown) => never {
  return (error) => {
    const isMissing =
      error instanceof Error &&
      "code" in error &&
      (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND") &&
      error.message.includes(`'${packageName}'`);
    throw isMissing ? new MissingPackage(packageName, error) : error;
  };
}
