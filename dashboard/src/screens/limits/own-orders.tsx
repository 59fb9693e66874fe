import type { Output } from '@docent/sdk'
import { call } from '../../api/call.ts'
import { ago, dateTime } from '../../lib/format.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Pager } from '../../ui/pager.tsx'
import { PurchaseState } from './purchase-state.tsx'
import { priceInWords, whatOf } from './purchase-words.ts'
import { Table } from '../../ui/table.tsx'

type Props = { list: Output<'purchases.list'>; onChange: () => void }

/** The account's orders with their outcome. */
export function OwnOrders({ list: { purchases, page, totalPages }, onChange }: Props) {
  if (purchases.length === 0) return <p class="mute">There is no order yet.</p>
  return (
    <>
      <Table columns={['Order', 'Price', 'State', 'Made']} hasActions>
        {purchases.map((purchase) => (
          <tr key={purchase.id}>
            <th scope="row">{whatOf(purchase)}</th>
            <td data-label="Price">{priceInWords(purchase.price)}</td>
            <td>
              <PurchaseState purchase={purchase} />
            </td>
            <td data-label="Made">
              <time title={dateTime(purchase.createdAt)}>{ago(purchase.createdAt)}</time>
            </td>
            <td class="r">
              {purchase.state === 'requested' && (
                <ConfirmButton
                  to="purchases.withdraw"
                  title={`Withdraw the order of ${whatOf(purchase)}`}
                  about="The operator no longer sees it as open. You can order it again."
                  work={async () => {
                    await call('purchases.withdraw', { purchaseId: purchase.id })
                    onChange()
                  }}
                >
                  Withdraw
                </ConfirmButton>
              )}
            </td>
          </tr>
        ))}
      </Table>
      <Pager page={page} pages={totalPages} of="orders" />
    </>
  )
}
