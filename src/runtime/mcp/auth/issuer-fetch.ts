/**
 * Reads documents of an issuer. A forged token makes the server ask for them, so everybody can cause
 * such requests.
 */

/** Maximum size of a document, in bytes. */
const maxBytes = 1024 * 1024;
/** Time for which a failed request is not repeated, in milliseconds. */
const pauseMs = 1000;

/** The options of `fetch` that jose and oauth4webapi set. */
interface FetchOptions {
  readonly headers: Record<string, string> | Headers;
  readonly signal?: AbortSignal | undefined;
}

/** `fetch` for GET, as jose and oauth4webapi call it. */
export type IssuerFetch = (url: string, options: FetchOptions) => Promise<Response>;

/**
 * Makes a `fetch` that follows no redirect and reads a document of at most 1 MiB. After a failure,
 * it fails for a second without a request.
 */
export function issuerFetch(): IssuerFetch {
  const failures = new Map<string, { readonly error: unknown; readonly until: number }>();
  return async (url, options) => {
    const last = failures.get(url);
    if (last !== undefined && Date.now() < last.until) throw last.error;
    try {
      const response = await read(url, options);
      failures.delete(url);
      return response;
    } catch (error) {
      failures.set(url, { error, until: Date.now() + pauseMs });
      throw error;
    }
  };
}

/** @throws TypeError if the answer is not a document, or too long */
async function read(url: string, { headers: asked, signal }: FetchOptions): Promise<Response> {
  const { body, headers, status } = await fetch(url, {
    headers: asked,
    signal: signal ?? null,
    redirect: "manual",
  });
  if (status !== 200) {
    await body?.cancel();
    throw new TypeError(`the issuer answered with status ${status}`);
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (length > maxBytes)
      throw new TypeError(`the issuer's answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const type = headers.get("content-type");
  return new Response(new Blob(chunks), { headers: type === null ? {} : { "content-type": type } });
}
