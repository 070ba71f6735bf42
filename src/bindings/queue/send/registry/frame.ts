/**
 * A message as consumers with a schema registry expect it: a zero, the schema's id in four bytes, the highest first, and the encoded body.
 *
 * @param id as the registry gave it
 */
export function frame(id: number, body: Uint8Array): Uint8Array {
  const framed = Buffer.allocUnsafe(body.length + 5);
  framed.writeUInt8(0, 0);
  framed.writeUInt32BE(id, 1);
  framed.set(body, 5);
  return framed;
}
