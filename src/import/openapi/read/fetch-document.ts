/**
 * Fetches the documents of an import: the one named on the command line, and those that it refers
 * to.
 */
import fs from "node:fs";
import { isIP } from "node:net";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type HttpConnections, httpConnections } from "@skillc/runtime/executor/http";
import { readRegularFile, systemCode } from "@skillc/runtime/internal";
import { classOf } from "@skillc/runtime/internal/governance";
import { decodeUtf8 } from "../../../compiler/read/read-file.js";
import { printable, shown } from "../../../core/names.js";
import type { FetchDocument, Fetched } from "./documents.js";
import { maxDocumentBytes } from "./parse-document.js";
import { type Environment, hasProxy, runtimeFor } from "./proxy.js";

/** Limits on the places that an import may read. */
export interface Sources {
  /** Address of the document, from `addressOfSource`. */
  readonly root: URL;
  /**
   * Present if only the record of an import names the document. The record is a file of the
   * project, so the document must be a file inside the project, or a page that https gets from a
   * public address. The help explains how a person can name the document.
   */
  readonly recorded?: { readonly help: string };
  /** Further origins and folders that references may lead to. */
  readonly allowed: readonly URL[];
  /** Absolute path of the project. A document in it may refer to files below. */
  readonly project: string;
  /** Environment variables for proxies. */
  readonly environment: Environment;
}

/** Returns the address of a document from the command line: an http(s) URL, or a file URL. */
export function addressOfSource(written: string, directory: string): URL {
  if (/^https?:\/\//i.test(written) && URL.canParse(written)) return new URL(written);
  return pathToFileURL(resolve(directory, written));
}

/**
 * Reads files below the folder of the first document or the project, and URLs of the origins named
 * on the command line. Never follows a redirect to another origin, and never connects to a metadata
 * service. Connects to a private network only if the command line names its address; a record of an
 * import can't name one.
 */
export function createFetch(sources: Sources): FetchDocument {
  return async (uri) => {
    if (uri.startsWith("file:")) return readFileAt(new URL(uri), sources);
    if (/^https?:/.test(uri)) return fetchUrl(new URL(uri), sources);
    return refused("it is not the address of a file or a web page");
  };
}

function refused(message: string, help?: string): Fetched {
  return { kind: "refused", message, ...(help !== undefined && { help }) };
}

/** Name of an address for people: relative to the project, and without passwords. */
export function nameOfAddress(url: URL, project: string): string {
  if (url.protocol !== "file:") return `${url.origin}${url.pathname}`;
  return relative(project, fileURLToPath(url)).replaceAll(sep, "/");
}

function readFileAt(url: URL, { allowed, project, recorded, root }: Sources): Fetched {
  if (url.host !== "") return refused("it is on another machine");
  const folders = [recorded === undefined ? root : pathToFileURL(project), ...allowed]
    .filter(({ protocol }) => protocol === "file:")
    .flatMap((each) => {
      const path = fileURLToPath(each);
      return [isFolder(path) ? path : dirname(path)];
    });
  if (folders[0] === undefined)
    return refused("a document from the web may not refer to files of this machine");
  if (isBelow(folders[0], project)) folders.push(project);
  try {
    const path = fs.realpathSync(fileURLToPath(url));
    const isInside = folders.some((folder) => isBelow(path, fs.realpathSync(folder)));
    if (!isInside)
      return recorded !== undefined && url.href === root.href
        ? refused(
            "it is outside of the project, and only the record of an earlier import names it",
            recorded.help,
          )
        : refused(
            "it is outside of the document's folder and of the project",
            "name its folder with `--allow`",
          );
    if (fs.statSync(path).size > maxDocumentBytes) return refused(tooLarge);
    const name = nameOfAddress(url, project);
    return fileOf(name, readRegularFile(path));
  } catch (error) {
    if (error instanceof URIError) return refused("a `%` in its address encodes no character");
    const code = systemCode(error);
    if (code === undefined && !(error instanceof Error && "code" in error)) throw error;
    return refused(code === "ENOENT" ? "there is no such file" : `it can't be read (${code})`);
  }
}

const tooLarge = `it is larger than ${maxDocumentBytes / 1024 / 1024} MiB`;

function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function fileOf(path: string, bytes: Uint8Array): Fetched {
  const decoded = decodeUtf8(bytes);
  if (decoded.kind === "text") return { kind: "file", file: { path, text: decoded.text } };
  return refused(`its byte ${decoded.byte} is not UTF-8`);
}

const maxRedirects = 5;

async function fetchUrl(url: URL, sources: Sources): Promise<Fetched> {
  const isNamed = ({ origin, protocol }: URL) => origin === url.origin && protocol !== "file:";
  const allowed = sources.allowed.find(isNamed);
  const named = allowed ?? [sources.root].find(isNamed);
  if (named === undefined)
    return refused(
      `the command line does not name the origin \`${shown(url.origin)}\``,
      `name it with \`--allow ${shown(url.origin)}\``,
    );
  const recorded = allowed === undefined ? sources.recorded : undefined;
  const target = { named, isRecorded: recorded !== undefined, environment: sources.environment };
  let at = url;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const answer = await get(at, target).catch((error: unknown) => {
      if (!(error instanceof Error)) throw error;
      return {
        kind: "failed",
        isPrivate: error instanceof NotPublic,
        message: printable(error.message),
      } as const;
    });
    if (answer.kind === "failed")
      return refused(answer.message, answer.isPrivate ? recorded?.help : undefined);
    if (answer.kind === "body") return fileOf(nameOfAddress(url, sources.project), answer.bytes);
    if (answer.location.origin !== url.origin)
      return refused(`it redirects to \`${shown(answer.location.origin)}\``);
    at = answer.location;
  }
  return refused(`it redirects more than ${maxRedirects} times`);
}

type Answer =
  | { readonly kind: "body"; readonly bytes: Uint8Array }
  | { readonly kind: "redirect"; readonly location: URL };

/** Permissions of a fetch. */
interface Target {
  /** The address that names the origin. */
  readonly named: URL;
  /** True if only the record of an import names the address. */
  readonly isRecorded: boolean;
  readonly environment: Environment;
}

/** Thrown for an address that is allowed only if the command line names it. */
class NotPublic extends Error {
  override readonly name = "NotPublic";
}

/** Rejects a URL behind a proxy, where this process can't see the address of a name. */
function refuseUnlessPublic(url: URL, environment: Environment): void {
  const why = "and only the record of an earlier import names it";
  if (url.protocol !== "https:")
    throw new NotPublic(`its address does not begin with https, ${why}`);
  if (hasProxy(url, environment))
    throw new NotPublic(`a proxy would look up the address of \`${shown(url.hostname)}\`, ${why}`);
}

/** Time limit of the whole exchange, in milliseconds. */
const timeLimitMs = 60_000;

/**
 * Fetches a document. The address is checked again when the connection is made, because the name
 * may resolve to another address by then. A proxy resolves names itself, so then only an address in
 * the URL is checked.
 *
 * @throws Error with the reason, without the URL
 */
async function get(url: URL, { environment, isRecorded, named }: Target): Promise<Answer> {
  const mayBePrivate = !isRecorded && namesPrivate(named);
  if (isRecorded) refuseUnlessPublic(url, environment);
  refuseAddress(url.hostname, mayBePrivate);
  const connections = httpConnections();
  const hooks = {
    connecting: ({ address }: { readonly address: string }) => refuseAddress(address, mayBePrivate),
  };
  try {
    const sent = connections.of(hooks, runtimeFor(url, environment)).request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: "GET",
      headers: {
        accept: "application/json, application/yaml, text/yaml, */*;q=0.1",
        "accept-encoding": "identity",
        "user-agent": "skillc",
        ...(named.username !== "" && { authorization: basic(named) }),
      },
      signal: AbortSignal.timeout(timeLimitMs),
    });
    return await readAnswer(await sent, url);
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    throw isLate ? new Error("it takes longer than 60 s") : error;
  } finally {
    await connections.close();
  }
}

function basic({ password, username }: URL): string {
  const proof = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(proof).toString("base64")}`;
}

type Response = Awaited<ReturnType<ReturnType<HttpConnections["of"]>["request"]>>;

async function readAnswer(response: Response, url: URL): Promise<Answer> {
  const { body, headers, statusCode } = response;
  try {
    const [location] = [headers["location"] ?? []].flat();
    if (statusCode >= 300 && statusCode < 400 && location !== undefined) {
      if (!URL.canParse(location, url.href)) throw new Error("it redirects to nowhere");
      return { kind: "redirect", location: new URL(location, url) };
    }
    if (statusCode !== 200) throw new Error(`the server answers ${statusCode}`);
    const coding = [headers["content-encoding"] ?? []].flat().join(", ");
    if (coding !== "" && coding !== "identity")
      throw new Error(
        `the server encodes it as \`${shown(coding)}\`, which the import did not request`,
      );
    if (Number(headers["content-length"] ?? 0) > maxDocumentBytes) throw new Error(tooLarge);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of body) {
      // A stream without an encoding gives buffers.
      const bytes = chunk as Buffer;
      length += bytes.length;
      if (length > maxDocumentBytes) throw new Error(tooLarge);
      chunks.push(bytes);
    }
    return { kind: "body", bytes: Buffer.concat(chunks) };
  } finally {
    // Cutting off the rest of the body is not an error.
    body.on("error", () => {}).destroy();
  }
}

/** @param address an address, or a name that isn't resolved yet */
function refuseAddress(address: string, mayBePrivate: boolean): void {
  const bare = address.replace(/^\[|\]$/g, "");
  if (isIP(bare) === 0) return;
  const kind = classOf(bare);
  if (kind === "local")
    throw new Error("an import never connects to a link-local address or a metadata service");
  if (kind === "private" && !mayBePrivate)
    throw new NotPublic(
      "its host is in a private network, and the command line names no private address",
    );
}

/** Checks if the command line explicitly names this machine or a private network. */
function namesPrivate({ hostname }: URL): boolean {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return (isIP(bare) !== 0 && classOf(bare) === "private") || /(?:^|\.)localhost$/.test(bare);
}
