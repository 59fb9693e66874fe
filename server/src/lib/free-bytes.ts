/**
 * Gives the memory of bytes back that nobody needs any more; they are empty afterwards. What lived for some 100 ms is
 * not collected before tens of megabytes of it have come together. Bytes that share their memory with others stay.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.resizable) buffer.transfer(0)
}
