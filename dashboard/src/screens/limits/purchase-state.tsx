import { ago, dateTime } from '../../lib/format.ts'
import { Status } from '../../ui/status.tsx'
import { type Purchase, STATES } from './purchase-words.ts'

/** The outcome of an order: a word, the time, and the reason of a refusal. */
export function PurchaseState({ purchase: { state, settledAt, reason } }: { purchase: Purchase }) {
  const { tone, word } = STATES[state]
  return (
    <>
      <Status tone={tone}>{word}</Status>
      {settledAt && (
        <time class="small mute" title={dateTime(settledAt)}>
          {' '}
          {ago(settledAt)}
        </time>
      )}
      {reason && <p class="small">{reason}</p>}
    </>
  )
}
