import type { Attempt, Success } from "../../../runtime/executor.js";
import type { Outgoing } from "./broker.js";
import type { TargetNames } from "./name-rules.js";
import type { OpenedTexts } from "./sealed.js";

/** A provider as the sending code sees it. */
export interface ProviderDefinition<Opened extends Client> {
  /** Name in skills, records and the ledger: `kafka`. */
  readonly name: string;
  readonly names: TargetNames;
  /** Loads the client library on the first call that needs it. */
  readonly open: Open<Opened>;
  /**
   * Publishes a message, and waits until the broker has it.
   *
   * @param target fields of the contract's target, with credentials opened
   * @throws LostBroker | RejectedMessage | UnknownAnswer
   */
  publish(
    client: Opened,
    target: OpenedTexts["target"],
    message: Outgoing,
    attempt: Attempt,
  ): Promise<Answer>;
}

/** The client that all tools with the same URL share. */
export interface Client {
  /** See `Broker`. */
  close(late?: AbortSignal): Promise<void>;
}

/**
 * Opens a client of the broker behind a URL.
 *
 * @param directory start of relative paths in the URL
 * @param onIdle called when the client holds no connection and no call, so that another may replace
 *   it
 * @throws UnusableUrl | MissingPackage
 */
export type Open<Opened extends Client> = (
  url: string,
  directory: string,
  onIdle: () => void,
) => Promise<Opened>;

/**
 * A receipt, or the reason why there is none although nothing failed. Both may contain names of the
 * target, by field.
 */
export type Answer =
  Success<"success", object> | { readonly status: string; readonly error: object };
