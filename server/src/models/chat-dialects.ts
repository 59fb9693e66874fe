import { z } from 'zod'
import { type ChatDialect, type Draft, ModelError } from './chat-model.ts'

const counts = z.object({ input_tokens: z.number().optional(), output_tokens: z.number().optional() }).nullish()

const AnthropicEvent = z.object({
  type: z.string(),
  message: z.object({ usage: counts }).optional(),
  delta: z
    .object({ type: z.string().optional(), text: z.string().optional(), stop_reason: z.string().nullish() })
    .optional(),
  usage: counts,
  error: z.object({ type: z.string() }).optional(),
})

const AnthropicWhole = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  stop_reason: z.string().nullish(),
  usage: counts,
})

/** Anthropic's Messages API. */
export const anthropicChat: ChatDialect = {
  path: '/v1/messages',
  headers: (apiKey) => ({ 'anthropic-version': '2023-06-01', ...(apiKey ? { 'x-api-key': apiKey } : {}) }),
  body: (model, { system, user, maxTokens }, plain) => ({
    model,
    system,
    messages: [{ role: 'user', content: user }],
    max_tokens: maxTokens,
    stream: true,
    ...(plain ? {} : { temperature: 0 }),
  }),
  takeEvent(draft, data) {
    const { type, message, delta, usage, error } = read(AnthropicEvent, data, 'an event')
    if (type === 'error') {
      const isBusy = error?.type === 'overloaded_error' || error?.type === 'rate_limit_error'
      throw new ModelError(isBusy ? 'busy' : 'unavailable', 'The model failed in the middle of its answer.')
    }
    if (type === 'message_start') takeCounts(draft, message?.usage)
    if (type === 'content_block_delta' && delta?.type === 'text_delta') draft.text += delta.text ?? ''
    if (type === 'message_delta') {
      takeCounts(draft, usage)
      takeEnd(draft, delta?.stop_reason, 'max_tokens')
    }
  },
  takeWhole(draft, body) {
    const whole = read(AnthropicWhole, body, 'an answer')
    for (const { type, text } of whole.content) if (type === 'text') draft.text += text ?? ''
    takeCounts(draft, whole.usage)
    takeEnd(draft, whole.stop_reason ?? 'end_turn', 'max_tokens')
  },
}

function takeCounts(draft: Draft, counted: z.infer<typeof counts>): void {
  if (counted?.input_tokens !== undefined) draft.usage.inputTokens = counted.input_tokens
  if (counted?.output_tokens !== undefined) draft.usage.outputTokens = counted.output_tokens
}

const usage = z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish()
const reason = z.string().nullish()

const OpenAiEvent = z.object({
  choices: z
    .array(z.object({ delta: z.object({ content: z.string().nullish() }).nullish(), finish_reason: reason }))
    .default([]),
  usage,
  error: z.unknown().optional(),
})

const OpenAiWhole = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullable() }), finish_reason: reason })).min(1),
  usage,
})

/** OpenAI's chat completions API, which most other providers implement too. */
export const openAiChat: ChatDialect = {
  path: '/chat/completions',
  headers: (apiKey): Record<string, string> => (apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
  body: (model, { system, user, maxTokens }, plain) => ({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    stream: true,
    stream_options: { include_usage: true },
    // Newer OpenAI models accept only `max_completion_tokens` and no temperature, others only `max_tokens`.
    ...(plain ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens, temperature: 0 }),
  }),
  takeEvent(draft, data) {
    const event = read(OpenAiEvent, data, 'an event')
    if (event.error) throw new ModelError('unavailable', 'The model failed in the middle of its answer.')
    const [choice] = event.choices
    draft.text += choice?.delta?.content ?? ''
    takeEnd(draft, choice?.finish_reason, 'length')
    takeUsage(draft, event.usage)
  },
  takeWhole(draft, body) {
    const whole = read(OpenAiWhole, body, 'an answer')
    const [choice] = whole.choices
    draft.text += choice?.message.content ?? ''
    takeEnd(draft, choice?.finish_reason ?? 'stop', 'length')
    takeUsage(draft, whole.usage)
  },
}

function takeUsage(draft: Draft, counted: z.infer<typeof usage>): void {
  if (counted) draft.usage = { inputTokens: counted.prompt_tokens, outputTokens: counted.completion_tokens }
}

function read<S extends z.ZodType>(schema: S, data: unknown, what: string): z.output<S> {
  const { success, data: known } = schema.safeParse(data)
  if (!success) throw new ModelError('malformed', `The model sent ${what} that is not understood.`)
  return known
}

/** Notes the reported end. `limit` is the provider's reason for a truncated answer. */
function takeEnd(draft: Draft, reason: string | null | undefined, limit: string): void {
  if (reason) draft.end = reason === limit ? 'limit' : 'whole'
}
