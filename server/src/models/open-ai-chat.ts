import { z } from 'zod'
import { type ChatDialect, type Draft, ModelError } from './chat-model.ts'

const usage = z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish()
const reason = z.string().nullish()

const Event = z.object({
  choices: z
    .array(z.object({ delta: z.object({ content: z.string().nullish() }).nullish(), finish_reason: reason }))
    .default([]),
  usage,
  error: z.unknown().optional(),
})

const Whole = z.object({
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
    // Newer OpenAI models accept only `max_completion_tokens` and no temperature. Other providers accept only
    // `max_tokens`.
    ...(plain ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens, temperature: 0 }),
  }),
  takeEvent(draft, data) {
    const event = Event.safeParse(data)
    if (!event.success) throw new ModelError('malformed', 'The model sent an event that is not understood.')
    if (event.data.error) throw new ModelError('unavailable', 'The model failed in the middle of its answer.')
    const [choice] = event.data.choices
    draft.text += choice?.delta?.content ?? ''
    takeEnd(draft, choice?.finish_reason)
    takeUsage(draft, event.data.usage)
  },
  takeWhole(draft, body) {
    const whole = Whole.safeParse(body)
    const choice = whole.data?.choices[0]
    if (!choice) throw new ModelError('malformed', 'The model sent an answer that is not understood.')
    draft.text += choice.message.content ?? ''
    takeEnd(draft, choice.finish_reason ?? 'stop')
    takeUsage(draft, whole.data?.usage)
  },
}

function takeEnd(draft: Draft, finish: string | null | undefined): void {
  if (finish) draft.end = finish === 'length' ? 'limit' : 'whole'
}

function takeUsage(draft: Draft, counted: z.infer<typeof usage>): void {
  if (counted) draft.usage = { inputTokens: counted.prompt_tokens, outputTokens: counted.completion_tokens }
}
