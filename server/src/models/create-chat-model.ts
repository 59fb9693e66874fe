import { createParser } from 'eventsource-parser'
import { anthropicChat } from './anthropic-chat.ts'
import type { ChatDialect, Draft } from './chat-dialect.ts'
import type { ChatModel, ChatRequest, Completion } from './chat-model.ts'
import { ModelError } from './model-error.ts'
import { type ModelEndpoint, postToModel } from './model-endpoint.ts'
import { openAiChat } from './open-ai-chat.ts'
import { withRetry } from './with-retry.ts'

export type ChatProvider = 'openai' | 'anthropic'

const DIALECTS: Record<ChatProvider, ChatDialect> = { openai: openAiChat, anthropic: anthropicChat }

/** Of English; close enough for a budget where a provider does not count. */
const CHARACTERS_A_TOKEN = 4

type Options = ModelEndpoint & {
  provider: ChatProvider
  /** Milliseconds for an answer, a second try included. */
  totalMs: number
}

/** A model over a provider's chat interface, read as a stream. Tries once more where a failure may pass. */
export function createChatModel({ provider, totalMs, ...endpoint }: Options): ChatModel {
  const dialect = DIALECTS[provider]
  // Which settings a model takes is learned from its first refusal.
  let plain = false

  const attempt = async (request: ChatRequest, leftMs: number, signal?: AbortSignal) => {
    const started = performance.now()
    try {
      return await ask({ endpoint, dialect, plain, totalMs: leftMs, signal }, request)
    } catch (error) {
      if (plain || !(error instanceof ModelError) || error.status !== 400 || !SETTINGS.test(error.message)) throw error
      plain = true
      const rest = leftMs - (performance.now() - started)
      return await ask({ endpoint, dialect, plain, totalMs: rest, signal }, request)
    }
  }
  return {
    complete: (request, signal) => withRetry({ totalMs, signal }, (leftMs) => attempt(request, leftMs, signal)),
  }
}

/** What a complaint about a setting names. */
const SETTINGS = /max_tokens|max_completion_tokens|temperature/

type Asking = {
  endpoint: ModelEndpoint
  dialect: ChatDialect
  plain: boolean
  totalMs: number
  signal: AbortSignal | undefined
}

async function ask({ endpoint, dialect, plain, totalMs, signal }: Asking, request: ChatRequest): Promise<Completion> {
  const draft: Draft = { text: '', usage: {}, end: 'open' }
  const stream = readStream(dialect, draft)
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
  return {
    text: draft.text,
    isWhole: draft.end === 'whole',
    usage: {
      inputTokens: draft.usage.inputTokens ?? estimate(request.system + request.user),
      outputTokens: draft.usage.outputTokens ?? estimate(draft.text),
    },
  }
}

/** Takes events in as they arrive. What goes wrong is thrown at the end, where somebody listens. */
function readStream(dialect: ChatDialect, draft: Draft) {
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
    parser.feed(decoder.decode(piece, { stream: true }))
  }
  return {
    feed,
    /** `whole` is the body, for answers that came compressed and were not heard piece by piece. */
    finish(whole: Uint8Array): void {
      if (!any) feed(whole)
      // The last event counts also where the line after it is missing.
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
