import type { Output } from '@docent/sdk'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoad } from '../../api/use-load.ts'
import { ago, dateTime } from '../../lib/format.ts'
import { setQuery } from '../../lib/router.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { useAnswerPart } from '../../ui/listing.tsx'
import { Section } from '../../ui/section.tsx'
import { Loaded, Problem } from '../../ui/states.tsx'
import { PurchaseState } from './purchase-state.tsx'
import { priceInWords, whatOf } from './purchase-words.ts'
import { Table } from '../../ui/table.tsx'

type Listed = Output<'purchases.listAll'>['purchases'][number]

type Props = { query: URLSearchParams; onChange: () => void; children: ComponentChildren }

/**
 * For the operator: the orders of all accounts, to be granted or refused. The filter and the page are in the address.
 * What follows is shown once the orders are here: they would push it down.
 */
export function AllOrders({ query, onChange, children }: Props) {
  const showsAll = query.get('orders') === 'all'
  const part = useAnswerPart({ query, of: 'all orders', name: 'of', sizes: [20, 10], answerSize: 20 })
  const list = useLoad(`all orders ${showsAll} ${part.answer}`, (signal) =>
    call('purchases.listAll', { ...(showsAll ? {} : { state: 'requested' as const }), page: part.answer }, { signal }),
  )
  const reload = () => {
    list.reload()
    onChange()
  }
  return (
    <>
      <Section title="Orders of accounts" about="You run this instance. Take the payment first, then grant the order.">
        <div class="bar">
          <label>
            <span class="vh">Orders to show</span>
            <select
              value={showsAll ? 'all' : 'open'}
              onChange={({ currentTarget }) =>
                setQuery({ orders: currentTarget.value === 'all' ? 'all' : null, of: null })
              }
            >
              <option value="open">Open orders</option>
              <option value="all">All orders</option>
            </select>
          </label>
        </div>
        <Loaded from={list} what="the orders">
          {({ purchases, total }) =>
            purchases.length === 0 ? (
              <p class="mute">{showsAll ? 'No account has ordered anything.' : 'No order is open.'}</p>
            ) : (
              <>
                <Orders purchases={part.shown(purchases)} onChange={reload} />
                {part.pager(total)}
              </>
            )
          }
        </Loaded>
      </Section>
      {(list.data ?? list.error) && children}
    </>
  )
}

function Orders({ purchases, onChange }: { purchases: readonly Listed[]; onChange: () => void }) {
  return (
    <Table columns={['Account', 'Order', 'Price', 'State']} hasActions>
      {purchases.map((purchase) => (
        <Row key={purchase.id} purchase={purchase} onChange={onChange} />
      ))}
    </Table>
  )
}

function Row({ purchase, onChange }: { purchase: Listed; onChange: () => void }) {
  const { id, account, note, price, state, createdAt } = purchase
  const [isRefusing, setRefusing] = useState(false)
  const grant = useAction(async () => {
    // Another operator may have been faster, so the list is read again after a failure too.
    await call('purchases.grant', { purchaseId: id }).finally(onChange)
  })
  return (
    <tr>
      <th scope="row">
        {account.email}
        <p class="small mute">on the plan {account.plan}</p>
      </th>
      <td>
        {whatOf(purchase)}
        {note && <p class="small">“{note}”</p>}
        <p class="small mute">
          <time title={dateTime(createdAt)}>{ago(createdAt)}</time>
        </p>
      </td>
      <td data-label="Price">{priceInWords(price)}</td>
      <td>
        <PurchaseState purchase={purchase} />
        {grant.error && <Problem error={grant.error} />}
      </td>
      <td class="r">
        {state === 'requested' && (
          <span class="acts">
            <button type="button" class="btn s p" disabled={grant.isBusy} onClick={() => grant.run()}>
              Grant
            </button>
            <button type="button" class="btn s" onClick={() => setRefusing(true)}>
              Refuse
            </button>
          </span>
        )}
        {isRefusing && <Refusal purchase={purchase} onClose={() => setRefusing(false)} onDone={onChange} />}
      </td>
    </tr>
  )
}

function Refusal({ purchase, onClose, onDone }: { purchase: Listed; onClose: () => void; onDone: () => void }) {
  const [reason, setReason] = useState('')
  const refuse = useAction(async () => {
    await call('purchases.refuse', { purchaseId: purchase.id, reason })
    onClose()
    onDone()
  })
  return (
    <Dialog title={`Refuse ${whatOf(purchase)}`} onClose={onClose}>
      <Form action={refuse} submit="Refuse the order" busy="Refusing …">
        <Field
          label="Reason"
          hint={`${purchase.account.email} reads it.`}
          required
          maxLength={500}
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </Form>
    </Dialog>
  )
}
