import type { Outcome } from '@docent/contract/values/outcomes'
import { OUTCOME_WORDS } from '../lib/words.ts'
import { Status, type Tone } from './status.tsx'

const TONES: Record<Outcome, Tone> = { answered: 'ok', related: 'warn', none: 'warn', refused: 'bad', failed: 'bad' }

/** How a call ended. */
export const OutcomeStatus = ({ outcome }: { outcome: Outcome }) => (
  <Status tone={TONES[outcome]}>{OUTCOME_WORDS[outcome]}</Status>
)
