import { createParser } from 'eventsource-parser'
import { anthropicChat, openAiChat } from './chat-dialects.ts'
import {
  type ChatDialect,
  type Draft,
  type ChatModel,
  type ChatRequest,
  type OnText,
  ModelError,
} from './chat-model.ts'
import { type ModelEndpoint, postToModel, withRetry } from './model-endpoint.ts'

export type ChatProvider = 'openai' | 'anthropic'

const DIALECTS: Record<ChatProvider, ChatDialect> = { openai: openAiChat, anthropic: anthropicChat }

/** For English. Precise enough for a budget if the provider reports no usage. */
const CHARACTERS_A_TOKEN = 4

type Options = ModelEndpoint & {
  provider: ChatProvider
  /** Milliseconds for an answer, including a retry. */
  totalMs: number
}

/** Creates a client of a provider's streaming chat API. Retries a transient failure once. */
export function createChatModel({ provider, totalMs, ...endpoint }: Options): ChatModel {
  const dialect = DIALECTS[provider]
  // The first rejection shows that the model does not support all settings.
  let plain = false

  return {
    complete: (request, signal, onText) =>
      withRetry({ totalMs, signal }, async (leftMs) => {
        const started = performance.now()
        const send = (ms: number) => ask({ endpoint, dialect, plain, totalMs: ms, signal, onText }, request)
        try {
          return await send(leftMs)
        } catch (error) {
          const isRejected = error instanceof ModelError && error.status === 400 && SETTINGS.test(error.message)
          if (plain || !isRejected) throw error
          plain = true
          return await send(leftMs - (performance.now() - started))
        }
      }),
  }
}

/** Matches rejections that name an optional setting. */
const SETTINGS = /max_tokens|max_completion_tokens|temperature/

type Asking = {
  endpoint: ModelEndpoint
  dialect: ChatDialect
  plain: boolean
  totalMs: number
  signal: AbortSignal | undefined
  onText: OnText | undefined
}

async function ask({ endpoint, dialect, plain, totalMs, signal, onText }: Asking, request: ChatRequest) {
  const draft: Draft = { text: '', usage: {}, end: 'open' }
  const stream = readStream(dialect, draft, onText)
  const answer = await postToModel(endpoint, {
    path: dialect.path,
    headers: dialect.headers(endpoint.apiKey),
    body: dialect.body(endpoint.model, request, plain),
    onData: stream.feed,
    totalMs,
    signal,
  })
  if (/\bjson\b/.test(answer.headers['content-type'] ?? '')) dialect.takeWhole(draft, parseJson(answer.bytes))
  else stream.finish(answer.bytes)
  if (draft.end === 'open') throw new ModelError('cut_off', "The model's answer ended in the middle.")
  const { text, end, usage } = draft
  const { inputTokens = estimate(request.system + request.user), outputTokens = estimate(text) } = usage
  return { text, isWhole: end === 'whole', usage: { inputTokens, outputTokens } }
}

/** Parses events as they arrive. Errors are thrown by `finish`, because nothing handles them earlier. */
function readStream(dialect: ChatDialect, draft: Draft, onText: OnText | undefined) {
  const decoder = new TextDecoder()
  let failure: unknown = null
  let any = false
  const parser = createParser({
    onEvent({ data }) {
      if (failure !== null || data === '[DONE]') return
      try {
        dialect.takeEvent(draft, JSON.parse(data))
      } catch (error) {
        failure = error instanceof SyntaxError ? new ModelError('malformed', 'The model sent no JSON.') : error
      }
    },
  })
  const feed = (piece: Uint8Array) => {
    any = true
    const before = draft.text.length
    parser.feed(decoder.decode(piece, { stream: true }))
    if (draft.text.length > before) onText?.(draft.text)
  }
  return {
    feed,
    /** `whole` is the body, for compressed answers, which were not streamed. */
    finish(whole: Uint8Array): void {
      if (!any) feed(whole)
      // Flushes the last event if its blank line is missing.
      parser.feed('\n\n')
      if (failure !== null) throw failure
    },
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (cause) {
    throw new ModelError('malformed', 'The model sent no JSON.', { cause })
  }
}

function estimate(text: string): number {
  return Math.ceil(text.length / CHARACTERS_A_TOKEN)
}
