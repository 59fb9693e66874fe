import type { Output } from '@docent/sdk'
import { count } from '../../lib/format.ts'
import type { Tone } from '../../ui/status.tsx'

export type Purchase = Output<'purchases.list'>['purchases'][number]
export type Price = Purchase['price']

const dollars = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', minimumFractionDigits: 0 })

/** Such as `$6` or `$29.50 a month`. */
export function priceInWords(price: Price): string {
  if (price === null) return 'agreed with the operator'
  if (price.amount === 0) return 'free'
  return dollars.format(price.amount) + (price.per === 'month' ? ' a month' : '')
}

/** The ordered thing, such as `2 sources for Handbook` or `the plan core`. */
export function whatOf({ kind, sources, plan, serverName }: Purchase): string {
  if (kind === 'plan') return `the plan ${plan}`
  return `${count(sources ?? 0, 'source')} for ${serverName ?? 'a deleted server'}`
}

export const STATES: Record<Purchase['state'], { tone: Tone; word: string }> = {
  requested: { tone: 'busy', word: 'Open' },
  granted: { tone: 'ok', word: 'Granted' },
  refused: { tone: 'bad', word: 'Refused' },
  withdrawn: { tone: 'mute', word: 'Withdrawn' },
}
