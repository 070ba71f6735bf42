/** Starts librdkafka's mock cluster with kcat, and changes its answers for proxies. */
import { type ChildProcess, spawn } from "node:child_process";
import { Transform } from "node:stream";
import { kill } from "./server-process.js";

export interface Mock {
  /** Ports of the brokers on 127.0.0.1, in the order of their numbers, which begin with 1. */
  readonly ports: readonly number[];
  close(): Promise<void>;
}

/** Starts a cluster that creates a topic with four partitions when a client first names it. */
export async function startMock(brokers = 1): Promise<Mock> {
  const settings = ["-X", `test.mock.num.brokers=${brokers}`, "-C", "-t", "keep", "-d", "mock"];
  const mock = spawn("kcat", ["-b", "x", ...settings], { stdio: ["ignore", "ignore", "pipe"] });
  return { ports: await portsOf(mock), close: () => kill(mock) };
}

/** The listener stays, because kcat goes on printing and would block on a full pipe. */
function portsOf(mock: ChildProcess): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    let printed = "";
    mock.stderr?.on("data", (chunk: Buffer) => {
      if (printed.length < 10_000) printed += chunk.toString();
      const [, addresses] = /bootstrap\.servers=(\S+?)[\s,;]*\n/.exec(printed) ?? [];
      if (addresses !== undefined)
        resolve(addresses.split(",").map((each) => Number(each.split(":")[1])));
    });
    mock.once("error", reject);
    mock.once("exit", () => reject(new Error(`kcat started no mock cluster: ${printed}`)));
  });
}

/**
 * Replaces the ports of brokers in answers. Metadata have a broker's port after its host.
 *
 * @param ports new ports by those of the brokers; called for each answer
 */
export function readdress(ports: () => ReadonlyMap<number, number>): Transform {
  let held = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      held = Buffer.concat([held, chunk]);
      for (;;) {
        const length = held.length < 4 ? Infinity : held.readInt32BE() + 4;
        if (length > held.length) break;
        this.push(withPorts(Buffer.from(held.subarray(0, length)), ports()));
        held = held.subarray(length);
      }
      done();
    },
  });
}

function withPorts(frame: Buffer, ports: ReadonlyMap<number, number>): Buffer {
  const host = Buffer.from("127.0.0.1");
  for (let at = frame.indexOf(host); at >= 0; at = frame.indexOf(host, at + 1)) {
    const place = at + host.length;
    const port = place + 4 > frame.length ? undefined : ports.get(frame.readInt32BE(place));
    if (port !== undefined) frame.writeInt32BE(port, place);
  }
  return frame;
}
