import { onTestFinished } from "vitest";
import { openKafka } from "../../../../src/bindings/queue/providers/kafka/send/open-kafka.js";
import { publishWithin } from "../support/attempt.js";
import { messageFor } from "../support/kafka.js";
import { type Script, type ScriptedBroker, startScriptedBroker } from "./scripted-broker.js";

/** Starts a scripted broker and a client for it. Both close when the test ends. */
export async function startScripted(script: Script, query = "", login = "") {
  const server = await startScriptedBroker(script);
  const scheme = script.tls ? "kafkas" : "kafka";
  const broker = openKafka(`${scheme}://${login}127.0.0.1:${server.port}?${query}`);
  onTestFinished(async () => {
    await broker.close();
    await server.close();
  });
  const publish = (text: string, timeoutMs = 5000, key = "k") =>
    publishWithin(timeoutMs, broker, messageFor("t", text, { key }));
  return { server, broker, publish };
}

export const valuesOf = ({ log }: ScriptedBroker) => log.map(({ value }) => value);
