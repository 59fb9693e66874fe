/**
 * Frees the memory of unneeded bytes immediately and leaves them empty. The garbage collector would wait until tens of
 * megabytes of older objects have accumulated. Bytes that share a buffer are not freed.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.resizable) buffer.transfer(0)
}
