type Options = {
  type: string
  /** Aborted when the reader goes away; the parts are closed then. */
  ended: AbortController
  headers?: Record<string, string>
}

/** An answer that is written while it is made, part by part and no faster than it is read. */
export function streamText(parts: AsyncGenerator<string>, { type, ended, headers }: Options): Response {
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
