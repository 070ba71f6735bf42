import type { Attempt, Success } from "../../../runtime/executor.js";
import type { Outgoing } from "./broker.js";
import type { TargetNames } from "./name-rules.js";
import type { OpenedTexts } from "./sealed.js";

/** What a provider's entry point says of it: all that sending asks of one. */
export interface ProviderDefinition<Opened extends Client> {
  /** As skills, records and the ledger have it: `kafka` */
  readonly name: string;
  readonly names: TargetNames;
  /** Loads the client library, with the first call that needs it. */
  readonly open: Open<Opened>;
  /**
   * Publishes a message, and waits until the broker has it.
   *
   * @param target by the fields that its contract has, with every credential put in
   * @throws LostBroker | RejectedMessage | UnknownAnswer
   */
  publish(
    client: Opened,
    target: OpenedTexts["target"],
    message: Outgoing,
    attempt: Attempt,
  ): Promise<Answer>;
}

/** What all tools with one URL share. */
export interface Client {
  /** See `Broker`. */
  close(late?: AbortSignal): Promise<void>;
}

/**
 * Opens a client of the broker behind a URL.
 *
 * @param directory what relative paths in the URL start from
 * @param onIdle called when it holds no connection and no call: another may take its place
 * @throws UnusableUrl | MissingPackage
 */
export type Open<Opened extends Client> = (
  url: string,
  directory: string,
  onIdle: () => void,
) => Promise<Opened>;

/**
 * A receipt, or why there is none though nothing failed. Names of the target may stand in both, by
 * its fields.
 */
export type Answer =
  Success<"success", object> | { readonly status: string; readonly error: object };
