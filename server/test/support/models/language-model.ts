import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The model's reply to a question: a text, or a custom response. */
export type Reply = string | ((response: ServerResponse, request: Asked) => void)

export type Asked = { path: string; headers: IncomingMessage['headers']; body: any }

export type LanguageModel = AsyncDisposable & {
  url: string
  /** One reply for each request, in order; the last one is repeated. */
  replies: Reply[]
  asked: Asked[]
}

/** A provider on loopback with the chat APIs of OpenAI and Anthropic and scripted replies. */
export async function startLanguageModel(...replies: Reply[]): Promise<LanguageModel> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const asked = {
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(Buffer.concat(pieces).toString()) as unknown,
      }
      model.asked.push(asked)
      const reply = (model.replies.length > 1 ? model.replies.shift() : model.replies[0]) ?? ''
      if (typeof reply === 'function') return reply(response, asked)
      say(response, asked, reply)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const model: LanguageModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    replies,
    asked: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return model
}

/** The events of a complete answer, in the protocol of the request. */
export function eventsOf({ path }: Asked, text: string): string[] {
  const pieces = text.match(/[\s\S]{1,7}/g) ?? []
  if (path.endsWith('/messages')) {
    return [
      event({ type: 'message_start', message: { usage: { input_tokens: 100, output_tokens: 1 } } }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      event({ type: 'ping' }),
      ...pieces.map((piece) => event({ type: 'content_block_delta', delta: { type: 'text_delta', text: piece } })),
      event({ type: 'content_block_stop', index: 0 }),
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 20 } }),
      event({ type: 'message_stop' }),
    ]
  }
  return [
    ...pieces.map((content) => event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
    event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    event({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 20 } }),
    'data: [DONE]\n\n',
  ]
}

function say(response: ServerResponse, asked: Asked, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const one of eventsOf(asked, text)) response.write(one)
  response.end()
}

function event(data: { type?: string; [member: string]: unknown }): string {
  return `${data.type ? `event: ${data.type}\n` : ''}data: ${JSON.stringify(data)}\n\n`
}
