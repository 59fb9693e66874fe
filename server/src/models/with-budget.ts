import type { ChatModel, Usage } from './chat-model.ts'
import { ModelError } from './model-error.ts'

type Budget = {
  /** Tokens that may be used up in a day; null: any number. */
  perDay: number | null
  /** Tokens used up today, so far. */
  readUsed: () => Promise<number>
  /** Hears of what each answer took; must not throw. */
  record: (usage: Usage) => void
}

/**
 * A model that stops when a day's tokens are used up (`over_budget`). What is asked at the same moment passes together,
 * so that a budget may be exceeded by as many answers as are under way.
 */
export function withBudget(model: ChatModel, { perDay, readUsed, record }: Budget): ChatModel {
  return {
    async complete(request, signal) {
      if (perDay !== null && (await readUsed()) >= perDay) {
        throw new ModelError('over_budget', `The ${perDay} tokens of today are used up (DOCENT_LLM_TOKENS_PER_DAY).`)
      }
      const completion = await model.complete(request, signal)
      record(completion.usage)
      return completion
    },
  }
}
