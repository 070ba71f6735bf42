/**
 * The error of a store that could not be reached or didn't answer. The operation may still have
 * been carried out. The message contains no value and no credential.
 */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}
