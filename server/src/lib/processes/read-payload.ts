/** Yields the bytes of a task's payload as they arrive (`TaskProcess.post`). */
export async function* readPayload(): AsyncGenerator<Buffer<ArrayBuffer>> {
  for await (const piece of process.stdin) yield piece as Buffer<ArrayBuffer>
}

/** Reads the whole payload of `size` bytes. */
export async function readWholePayload(size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const piece of readPayload()) {
    bytes.set(piece.subarray(0, size - at), at)
    at += Math.min(piece.byteLength, size - at)
  }
  return bytes.subarray(0, at)
}
