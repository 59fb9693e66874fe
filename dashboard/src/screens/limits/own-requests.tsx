import type { Output } from '@docent/sdk'
import { call } from '../../api/call.ts'
import { ago, dateTime } from '../../lib/format.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Pager } from '../../ui/pager.tsx'
import { PurchaseState } from './purchase-state.tsx'
import { priceInWords, whatOf } from './purchase-words.ts'

type Props = { list: Output<'purchases.list'>; onChange: () => void }

/** The account's requests, and what became of them. */
export function OwnRequests({ list: { purchases, page, totalPages }, onChange }: Props) {
  if (purchases.length === 0) return <p class="mute">There is no request yet.</p>
  return (
    <>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">Price</th>
            <th scope="col">State</th>
            <th scope="col">Made</th>
            <th scope="col" class="r">
              <span class="vh">What you can do</span>
            </th>
          </tr>
        </thead>
        <tbody>
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
                    title={`Withdraw the request for ${whatOf(purchase)}`}
                    about="The operator no longer sees it as open. You can request it again."
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
        </tbody>
      </table>
      <Pager page={page} pages={totalPages} />
    </>
  )
}
