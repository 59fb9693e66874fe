import { z } from 'zod'
import { type ChatDialect, type Draft, ModelError } from './chat-model.ts'

const counts = z.object({ input_tokens: z.number().optional(), output_tokens: z.number().optional() }).nullish()

const Event = z.object({
  type: z.string(),
  message: z.object({ usage: counts }).optional(),
  delta: z
    .object({ type: z.string().optional(), text: z.string().optional(), stop_reason: z.string().nullish() })
    .optional(),
  usage: counts,
  error: z.object({ type: z.string() }).optional(),
})

const Whole = z.object({
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
    const event = Event.safeParse(data)
    if (!event.success) throw new ModelError('malformed', 'The model sent an event that is not understood.')
    const { type, message, delta, usage, error } = event.data
    if (type === 'error') {
      const isBusy = error?.type === 'overloaded_error' || error?.type === 'rate_limit_error'
      throw new ModelError(isBusy ? 'busy' : 'unavailable', 'The model failed in the middle of its answer.')
    }
    if (type === 'message_start') takeUsage(draft, message?.usage)
    if (type === 'content_block_delta' && delta?.type === 'text_delta') draft.text += delta.text ?? ''
    if (type === 'message_delta') {
      takeUsage(draft, usage)
      takeEnd(draft, delta?.stop_reason)
    }
  },
  takeWhole(draft, body) {
    const whole = Whole.safeParse(body)
    if (!whole.success) throw new ModelError('malformed', 'The model sent an answer that is not understood.')
    for (const { type, text } of whole.data.content) if (type === 'text') draft.text += text ?? ''
    takeUsage(draft, whole.data.usage)
    takeEnd(draft, whole.data.stop_reason ?? 'end_turn')
  },
}

function takeEnd(draft: Draft, reason: string | null | undefined): void {
  if (reason) draft.end = reason === 'max_tokens' ? 'limit' : 'whole'
}

function takeUsage(draft: Draft, counted: z.infer<typeof counts>): void {
  if (counted?.input_tokens !== undefined) draft.usage.inputTokens = counted.input_tokens
  if (counted?.output_tokens !== undefined) draft.usage.outputTokens = counted.output_tokens
}
