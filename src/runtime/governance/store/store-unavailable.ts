/**
 * A store that could not be asked, or has not answered: what it was told may have come to it all
 * the same. The message holds no value and no credential.
 */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}
