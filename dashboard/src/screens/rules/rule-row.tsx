import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useMay } from '../../api/may.ts'
import { useAction } from '../../api/use-action.ts'
import { ago, dateTime, shortAddress } from '../../lib/format.ts'
import { Effects } from '../../rules/effects.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import type { Server } from '../../ui/server-page.tsx'
import { Problem } from '../../ui/states.tsx'

type Rule = Output<'retrievalRules.list'>['rules'][number]
type Props = { rule: Rule; server: Server; onChange: () => void }

/** One rule: its sentence, its effects, its switch, and its priority. */
export function RuleRow({ rule, server, onChange }: Props) {
  const { id, naturalLanguage, understood, enabled, sourceId, createdAt } = rule
  const source = server.sources.find((one) => one.id === sourceId)
  // Shown at once; a refused change is taken back.
  const [isOn, setOn] = useState(enabled)
  const update = useAction(async (change: { enabled?: boolean; priority?: number }) => {
    setOn(change.enabled ?? enabled)
    try {
      await call('retrievalRules.update', { ruleId: id, ...change })
      onChange()
    } catch (error) {
      setOn(enabled)
      throw error
    }
  })
  const isFixed = update.isBusy || !useMay()('retrievalRules.update')
  return (
    <li class={isOn ? '' : 'is-off'}>
      <div>
        <p class="said">{naturalLanguage}</p>
        <Effects understood={understood} />
        <p class="small mute">
          {sourceId !== null && `Only about ${source?.label ?? shortAddress(source?.url ?? '')}. `}
          <time dateTime={createdAt} title={dateTime(createdAt)}>
            Written {ago(createdAt)}
          </time>
        </p>
        {update.error && <Problem error={update.error} />}
      </div>
      <div class="acts">
        <label class="check">
          <input
            type="checkbox"
            checked={isOn}
            disabled={isFixed}
            onChange={({ currentTarget }) => update.run({ enabled: currentTarget.checked })}
          />
          On
        </label>
        <Priority rule={rule} isBusy={isFixed} onChange={(priority) => update.run({ priority })} />
        <ConfirmButton
          to="retrievalRules.delete"
          title="Delete the rule"
          about={`Searches no longer follow it: ${naturalLanguage}`}
          work={async () => {
            await call('retrievalRules.delete', { ruleId: id })
            onChange()
          }}
        >
          Delete
        </ConfirmButton>
      </div>
    </li>
  )
}

type PriorityProps = { rule: Rule; isBusy: boolean; onChange: (priority: number) => void }

/** Rules with a higher number run first. Saved when the field is left, or with the Enter key. */
function Priority({ rule: { priority }, isBusy, onChange }: PriorityProps) {
  return (
    <label class="check">
      Priority
      <input
        key={priority}
        type="number"
        min={-100}
        max={100}
        step={1}
        defaultValue={String(priority)}
        disabled={isBusy}
        title="Rules with a higher number run first: -100 to 100"
        onChange={({ currentTarget: { value } }) => {
          if (/^-?\d+$/.test(value) && Number(value) !== priority) onChange(Number(value))
        }}
      />
    </label>
  )
}
