/**
 * A package that only some tools need, such as a database driver, is not installed. The message
 * says how to install it.
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
 * Says by name which package is missing, where Node.js would name a file of ours:
 * `import("pg").catch(ifMissing("pg"))`. The call of `catch` stands beside the import, for bundlers
 * then leave out what is not installed.
 *
 * @returns a function that throws `MissingPackage`, or what it is given when that has another
 * reason
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
