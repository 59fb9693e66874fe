import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { number } from '../../lib/format.ts'
import { Table } from '../../ui/table.tsx'
import { priceInWords } from './purchase-words.ts'
import { OrderForm, Sent } from './order-form.tsx'

type Plan = Output<'plans.list'>['plans'][number]
type Name = Plan['plan']

const amount = (value: number | null): string => (value === null ? 'no limit' : number(value))
const megabytes = (value: number | null): string => (value === null ? 'no limit' : `${number(value / 1_000_000)} MB`)

const ROWS: readonly [title: string, value: (plan: Plan) => string][] = [
  ['Price', ({ price }) => priceInWords(price)],
  ['Servers', ({ limits }) => amount(limits.servers)],
  ['Sources on each server', ({ limits }) => amount(limits.sourcesPerServer)],
  ['Text on each server', ({ limits }) => megabytes(limits.sourceBytesPerServer)],
  ['Requests a month', ({ limits }) => amount(limits.mcpRequestsPerMonth)],
  ['Custom tools', ({ limits }) => amount(limits.customTools)],
  ['Rules on each server', ({ limits }) => amount(limits.rulesPerServer)],
  ['Request log and analytics', ({ requestLog }) => (requestLog ? 'yes' : 'a summary')],
]

type Props = {
  plans: readonly Plan[]
  current: string
  /** Not the operator, who changes plans directly. */
  canOrder: boolean
  onDone: () => void
}

/** Compares the plans, and orders another one. */
export function OrderPlan({ plans, current, canOrder, onDone }: Props) {
  const others = plans.filter(({ plan }) => plan !== current)
  const [chosen, setChosen] = useState<Name | null>(null)
  const [note, setNote] = useState('')
  const [sent, setSent] = useState<string | null>(null)
  const plan = chosen ?? others.find((other) => other.plan !== 'free')?.plan ?? others[0]?.plan ?? 'core'
  const price = plans.find((one) => one.plan === plan)?.price ?? null
  const order = useAction(async () => {
    await call('purchases.requestPlan', { plan, note })
    setSent(`You ordered the plan ${plan}.`)
    setNote('')
    onDone()
  })
  return (
    <>
      <Comparison plans={plans} current={current} />
      {canOrder && (
        <OrderForm action={order} submit={`Order the plan ${plan}`} note={note} setNote={setNote}>
          <label class="field">
            <span class="lab">Plan</span>
            <select value={plan} onChange={({ currentTarget }) => setChosen(currentTarget.value as Name)}>
              {others.map((other) => (
                <option key={other.plan} value={other.plan}>
                  {other.plan}
                </option>
              ))}
            </select>
            <span class="hint">Price: {priceInWords(price)}.</span>
          </label>
        </OrderForm>
      )}
      {sent && !order.error && <Sent>{sent}</Sent>}
    </>
  )
}

function Comparison({ plans, current }: Pick<Props, 'plans' | 'current'>) {
  return (
    <Table
      columns={[
        <span class="vh">Limit</span>,
        ...plans.map(({ plan }) => (plan === current ? `${plan} (yours)` : plan)),
      ]}
    >
      {ROWS.map(([title, value]) => (
        <tr key={title}>
          <th scope="row">{title}</th>
          {plans.map((plan) => (
            <td key={plan.plan} data-label={plan.plan}>
              {value(plan)}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  )
}
