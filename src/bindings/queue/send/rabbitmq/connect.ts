import { type ChannelModel, connect } from "amqplib";
import { connectionName, keepCloseReasons } from "./close-reason.js";
import type { RabbitmqSettings } from "./rabbitmq-url.js";
import { connectFault } from "./refusals.js";

/**
 * Connects and logs in.
 *
 * @param signal destroys the socket, for as long as it lives
 * @throws LostBroker | RefusedMessage
 */
export async function connectRabbitmq(
  settings: RabbitmqSettings,
  signal: AbortSignal,
): Promise<ChannelModel> {
  // The client hands its options on to `net.connect` and `tls.connect`, which take a signal; its types don't say so.
  const socket = {
    ...settings.tls,
    noDelay: true,
    signal,
    clientProperties: { connection_name: connectionName },
  };
  keepCloseReasons();
  try {
    return await connect(settings.connect, socket);
  } catch (error) {
    throw connectFault(error);
  }
}
