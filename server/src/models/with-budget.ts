import type { ChatModel, Usage } from './chat-model.ts'
import { ModelError } from './model-error.ts'

type Budget = {
  /** Token budget per day. Null: unlimited. */
  perDay: number | null
  /** Reads the tokens used today. */
  readUsed: () => Promise<number>
  /** Called with the usage of each answer. Must not throw. */
  record: (usage: Usage) => void
}

/**
 * Wraps a model with a daily token budget; throws `over_budget` once it is used up. Concurrent requests pass the check
 * together, so the budget may be exceeded by the answers in progress.
 */
export function withBudget(model: ChatModel, { perDay, readUsed, record }: Budget): ChatModel {
  return {
    async complete(request, signal, onText) {
      if (perDay !== null && (await readUsed()) >= perDay) {
        throw new ModelError('over_budget', `The ${perDay} tokens of today are used up (DOCENT_LLM_TOKENS_PER_DAY).`)
      }
      const completion = await model.complete(request, signal, onText)
      record(completion.usage)
      return completion
    },
  }
}
