import type { StreamForm } from '@docent/contract/operation'

/** Items of a streamed answer as they arrive. */
export async function* readItems(form: StreamForm, response: Response): AsyncGenerator {
  if (form === 'table') {
    yield* (await response.json()) as unknown[]
    return
  }
  for await (const line of linesOf(response)) {
    const text = form === 'text/event-stream' ? /^data: ?(.*)$/.exec(line)?.[1] : line
    if (text?.trim()) yield JSON.parse(text)
  }
}

async function* linesOf({ body }: Response): AsyncGenerator<string> {
  if (!body) return
  let rest = ''
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest
}
