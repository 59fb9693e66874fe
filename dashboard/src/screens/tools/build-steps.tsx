import { Icon } from '../../ui/icons.tsx'
import type { BuildStep } from './use-build.ts'

type Props = { steps: readonly BuildStep[]; isBusy: boolean; isFailed: boolean }

/** The steps of a build as they happen. All but the last are done. */
export function BuildSteps({ steps, isBusy, isFailed }: Props) {
  if (steps.length === 0) return isBusy ? <p class="mute">Beginning …</p> : null
  return (
    <ol class="build">
      {steps.map(({ message }, index) => {
        const isLast = index === steps.length - 1
        const state = isLast && isFailed ? 'bad' : isLast && isBusy ? 'busy' : 'ok'
        return (
          <li key={index} class={state}>
            <Icon name={state} {...(state === 'busy' ? { class: 'pulse' } : {})} />
            <span>{message}</span>
          </li>
        )
      })}
    </ol>
  )
}
