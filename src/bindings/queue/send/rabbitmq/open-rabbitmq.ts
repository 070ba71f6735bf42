import type { RabbitmqReceipt } from "../../contract.js";
import type { Broker, RabbitmqPlace, Routed } from "../broker.js";
import { shareLink } from "../link/share-link.js";
import { connectRabbitmq } from "./connect.js";
import { Suspects } from "./learned.js";
import { RabbitmqLink } from "./rabbitmq-link.js";
import { readRabbitmqUrl } from "./rabbitmq-url.js";

/**
 * A client of the RabbitMQ behind a URL: one connection, and a channel with publisher confirms for each exchange.
 *
 * @param url `amqp://user:password@host:port/vhost`, or `amqps`; its query may hold `heartbeat` (seconds, 10 by default) and, for `amqps`, the options
 *   of `tlsOptionsOf`
 * @param directory what relative paths in the URL start from; the files are read with each connection
 * @param onIdle called when it holds no connection and no call
 * @throws UnusableUrl
 */
export function openRabbitmq(
  url: string,
  directory = process.cwd(),
  onIdle: () => void = () => {},
): Broker<RabbitmqPlace, Routed<RabbitmqReceipt>> {
  // Whatever can be said of it is said at once.
  readRabbitmqUrl(url, directory);
  const suspects = new Suspects();
  return shareLink(async (hangUp) => {
    const settings = readRabbitmqUrl(url, directory);
    const { username = "", password = "" } = settings.connect;
    const connection = await connectRabbitmq(settings, hangUp.signal);
    return new RabbitmqLink(connection, hangUp, { suspects, hidden: [username, password] });
  }, onIdle);
}
