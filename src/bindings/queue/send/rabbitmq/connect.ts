import { type ChannelModel, connect, credentials } from "amqplib";
import { keepCloseReason } from "./close-reason.js";
import type { RabbitmqSettings } from "./rabbitmq-url.js";
import { connectFault } from "./refusals.js";

/** What our connections are called in RabbitMQ's lists. */
const connectionName = "skillc";

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
  const { username = "guest", password = "guest" } = settings.connect;
  const plain = credentials.plain(username, password);
  const login = plain.response();
  keepCloseReason(login);
  // The client hands its options on to `net.connect` and `tls.connect`, which take a signal; its types don't say so.
  const socket = {
    ...settings.tls,
    noDelay: true,
    signal,
    clientProperties: { connection_name: connectionName },
    credentials: { ...plain, response: () => login },
  };
  try {
    return await connect(settings.connect, socket);
  } catch (error) {
    throw connectFault(error);
  }
}
