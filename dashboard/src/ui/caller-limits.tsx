import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useAction } from '../api/use-action.ts'
import { useLoad } from '../api/use-load.ts'
import { number } from '../lib/format.ts'
import { Field } from './field.tsx'
import { Form } from './form.tsx'
import { Loaded } from './states.tsx'

type Limits = Output<'account.callerLimits'>
type Used = Limits['anonymousToday']

const so = (used: Used, when: string): string =>
  used ? ` ${number(used.used)} of ${number(used.limit)} are used ${when}.` : ''

/** Reads and changes the limits of callers without a credential. */
export function CallerLimits() {
  const limits = useLoad('caller limits', (signal) => call('account.callerLimits', {}, { signal }))
  const [isSaved, setSaved] = useState(false)
  const done = () => {
    setSaved(true)
    limits.reload()
  }
  return (
    <Loaded from={limits} what="the limits">
      {(loaded) => <LimitsForm key={JSON.stringify(loaded)} limits={loaded} isSaved={isSaved} onDone={done} />}
    </Loaded>
  )
}

function LimitsForm({ limits, isSaved, onDone }: { limits: Limits; isSaved: boolean; onDone: () => void }) {
  const [share, setShare] = useState(String(limits.reservedPercent))
  const [day, setDay] = useState(String(limits.anonymousPerDay))
  const [network, setNetwork] = useState(String(limits.anonymousPerNetworkPerDay))
  const save = useAction(async () => {
    await call('account.changeCallerLimits', {
      reservedPercent: Number(share || 'none'),
      anonymousPerDay: Number(day || 'none'),
      anonymousPerNetworkPerDay: Number(network || 'none'),
    })
    onDone()
  })
  const fields = [
    {
      label: 'Percent of the monthly requests for callers with a token',
      hint: `Also for API keys and for visitors with an attribution token. 0: anybody can use all.${so(limits.anonymousThisMonth, 'by others this month')}`,
      value: share,
      set: setShare,
    },
    {
      label: 'Requests a day of all others',
      hint: `0: no limit.${so(limits.anonymousToday, 'today')}`,
      value: day,
      set: setDay,
    },
    {
      label: 'Requests a day of one network',
      hint: 'An IPv4 address or an IPv6 /64, without a token. 0: no limit.',
      value: network,
      set: setNetwork,
    },
  ]
  return (
    <Form
      to="account.changeCallerLimits"
      action={save}
      submit="Save the limits"
      busy="Saving …"
      beside={isSaved && !save.error && <span role="status">Saved.</span>}
    >
      {fields.map(({ set, ...field }) => (
        <Field
          key={field.label}
          {...field}
          inputMode="numeric"
          required
          pattern="\d{1,7}"
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      ))}
    </Form>
  )
}
