import type { Output } from '@docent/sdk'
import { Table } from '../../ui/table.tsx'

type Rates = Output<'account.entitlements'>['rateLimits']

/** The rate limits of this instance. */
export function RateLimits({ rates }: { rates: Rates }) {
  if (rates === null) return <p class="mute">This instance has switched its rate limits off.</p>
  return (
    <Table columns={['What', 'At most']}>
      {rates.map(({ of, limit, windowSeconds }) => (
        <tr key={of}>
          <th scope="row">{of.charAt(0).toUpperCase() + of.slice(1)}</th>
          <td data-label="At most">
            {limit} {SPANS[windowSeconds] ?? `in ${windowSeconds} seconds`}
          </td>
        </tr>
      ))}
    </Table>
  )
}

const SPANS: Readonly<Record<number, string>> = { 60: 'in a minute', 3600: 'in an hour' }
