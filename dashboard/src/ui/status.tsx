import type { ComponentChildren } from 'preact'
import { Icon } from './icons.tsx'

export type Tone = 'ok' | 'busy' | 'wait' | 'warn' | 'bad' | 'mute'

const SHAPES = { ok: 'ok', busy: 'busy', wait: 'wait', warn: 'warn', bad: 'bad', mute: 'ok' } as const

/** A state as shape, word and colour. */
export function Status({ tone, children, pulse }: { tone: Tone; children: ComponentChildren; pulse?: boolean }) {
  return (
    <span class={`st ${tone === 'wait' ? 'mute' : tone}`}>
      <Icon name={SHAPES[tone]} {...(pulse ? { class: 'pulse' } : {})} />
      {children}
    </span>
  )
}

export function Visibility({ value }: { value: 'public' | 'private' }) {
  return (
    <span class="st mute">
      <Icon name={value === 'public' ? 'ok' : 'lock'} />
      {value === 'public' ? 'Public' : 'Private'}
    </span>
  )
}
