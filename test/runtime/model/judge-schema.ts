import { Ajv2020 } from "ajv/dist/2020.js";

/** Returns a validator; undefined if the schema has a reference to nothing. */
export function compile(schema: unknown): ((value: unknown) => boolean) | undefined {
  try {
    const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
    return ajv.compile(schema as object);
  } catch (error) {
    if (!(error instanceof RangeError)) return undefined;
    return () => {
      throw error;
    };
  }
}

/** A reference that leads only to itself has no end, which Ajv finds earlier or later. */
export function judge(validate: (value: unknown) => boolean, value: unknown): boolean | "endless" {
  try {
    return validate(value);
  } catch (error) {
    if (error instanceof RangeError) return "endless";
    throw error;
  }
}
