export type StreamOptions = {
  type: string
  /** Aborted when the reader disconnects. The generator is then closed. */
  ended: AbortController
  headers?: Record<string, string>
}

/** Streams text parts as they are produced, with backpressure. */
export function streamText(parts: AsyncGenerator<string>, { type, ended, headers }: StreamOptions): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      ended.abort()
      await parts.return(undefined)
    },
  })
  return new Response(body, { headers: { 'content-type': type, 'cache-control': 'no-store', ...headers } })
}
