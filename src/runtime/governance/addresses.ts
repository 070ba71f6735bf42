/**
 * Classifies addresses when a connection is made. A check of the name would come too early, because
 * the name may resolve to another address by then.
 */
import { BlockList, isIP } from "node:net";

/**
 * `private`: addresses of this machine, or of networks outside of the internet. `local`: link-local
 * addresses, and those of cloud metadata services.
 */
export type AddressClass = "public" | "private" | "local";

/**
 * Networks that are not on the internet. Tunnels are included (Teredo, `2001::/32`; 6to4 relays,
 * `192.88.99.0/24`), because they end at the nearest relay, and no public service has such an
 * address.
 */
const privateNetworks: readonly (readonly [network: string, bits: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["::", 128],
  ["::1", 128],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 32],
  ["2001:db8::", 32],
  ["fc00::", 7],
  ["fec0::", 10],
  ["ff00::", 8],
];

/**
 * Link-local networks. The last four are metadata services of Alibaba, Azure, Amazon and Google.
 */
const localNetworks: readonly (readonly [network: string, bits: number])[] = [
  ["169.254.0.0", 16],
  ["fe80::", 10],
  ["100.100.100.200", 32],
  ["168.63.129.16", 32],
  ["fd00:ec2::254", 128],
  ["fd20:ce::254", 128],
];

const isPrivate = listOf(privateNetworks);
const isLocal = listOf(localNetworks);

function listOf(networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks)
    list.addSubnet(network, bits, network.includes(":") ? "ipv6" : "ipv4");
  return list;
}

/**
 * Returns the class of an address.
 *
 * @param address an IP address; anything else counts as local, so that it is denied
 */
export function classOf(address: string): AddressClass {
  const [plain = ""] = address.split("%", 1);
  const inside = ipv4Inside(plain);
  if (inside !== undefined) return classOf(inside);
  const version = isIP(plain);
  if (version === 0) return "local";
  const family = version === 6 ? "ipv6" : "ipv4";
  if (isLocal.check(plain, family)) return "local";
  return isPrivate.check(plain, family) ? "private" : "public";
}

/**
 * Returns the IPv4 address inside an IPv6 address (mapped, compatible, NAT64 or 6to4), because
 * packets go there.
 */
function ipv4Inside(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined;
  const groups = groupsOf(address);
  const [a = 0, b = 0] = groups.slice(6);
  const starts = groups.slice(0, 6).join(":");
  const isCarried =
    starts === "0:0:0:0:0:65535" ||
    starts === "0:0:0:0:65535:0" ||
    starts === `${0x64}:${0xff9b}:0:0:0:0` ||
    (starts === "0:0:0:0:0:0" && (a !== 0 || b > 1));
  if (isCarried) return ipv4(a, b);
  return groups[0] === 0x2002 ? ipv4(groups[1] ?? 0, groups[2] ?? 0) : undefined;
}

function ipv4(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** Returns the eight groups of an IPv6 address, as numbers. */
function groupsOf(address: string): readonly number[] {
  const [front = "", back] = withoutDots(address).split("::");
  const parse = (text: string) =>
    text === "" ? [] : text.split(":").map((each) => Number.parseInt(each, 16));
  const first = parse(front);
  if (back === undefined) return first;
  const last = parse(back);
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

/** Converts the last four bytes if they are written as IPv4. */
function withoutDots(address: string): string {
  if (!address.includes(".")) return address;
  const start = address.lastIndexOf(":") + 1;
  const [a = 0, b = 0, c = 0, d = 0] = address.slice(start).split(".").map(Number);
  const groups = [(a << 8) | b, (c << 8) | d].map((each) => each.toString(16));
  return `${address.slice(0, start)}${groups.join(":")}`;
}
