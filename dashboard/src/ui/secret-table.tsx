import type { OperationId } from '@docent/contract/operations'
import { ago, dateTime } from '../lib/format.ts'
import { NEWEST, byText } from '../lib/listing.ts'
import { ConfirmButton } from './confirm-button.tsx'
import { Listing } from './listing.tsx'
import { Table } from './table.tsx'

/** A secret as lists show it: never the whole text. */
export type ListedSecret = {
  id: string
  name: string
  shown: string
  createdAt: string
  lastUsedAt: string | null
  sees?: string
}

type Props = {
  /** Title of the column of secrets. */
  kind: 'Key' | 'Token' | 'Application'
  query: URLSearchParams
  secrets: readonly ListedSecret[]
  /** The effect on users of a revoked secret. */
  about: string
  onRevoke: (id: string) => Promise<unknown>
  /** The operation that revokes a secret of the table. */
  to: OperationId
}

/** Secrets that are valid now, each with its last use and a button that revokes it. */
export function SecretTable({ kind, query, secrets, about, onRevoke, to }: Props) {
  const hasScope = secrets.some(({ sees }) => sees !== undefined)
  const plan = { ...PLAN, prefix: `${kind.toLowerCase()}s` }
  return (
    <Listing items={secrets} one={kind.toLowerCase()} plan={plan} sizes={[25, 12]} query={query}>
      {(shown) => (
        <Table columns={['Name', kind, ...(hasScope ? ['Sees'] : []), 'Last used']} hasActions>
          {shown.map((secret) => (
            <Row key={secret.id} secret={secret} about={about} onRevoke={onRevoke} to={to} />
          ))}
        </Table>
      )}
    </Listing>
  )
}

const PLAN = {
  textOf: ({ name, shown, sees = '' }: ListedSecret) => `${name} ${shown} ${sees}`,
  orders: [
    NEWEST,
    {
      name: 'used',
      title: 'Last used first',
      compare: (a: ListedSecret, b: ListedSecret) => (b.lastUsedAt ?? '').localeCompare(a.lastUsedAt ?? ''),
    },
    byText<ListedSecret>('name', 'By name', ({ name }) => name),
  ],
}

type RowProps = { secret: ListedSecret } & Pick<Props, 'about' | 'onRevoke' | 'to'>

function Row({ secret: { id, name, shown, lastUsedAt, sees }, about, onRevoke, to }: RowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="m">{shown}</td>
      {sees !== undefined && <td data-label="Sees">{sees}</td>}
      <td data-label="Last used">
        {lastUsedAt ? <time title={dateTime(lastUsedAt)}>{ago(lastUsedAt)}</time> : 'never'}
      </td>
      <td class="r">
        <ConfirmButton to={to} title={`Revoke ${name}`} about={about} work={() => onRevoke(id)}>
          Revoke
        </ConfirmButton>
      </td>
    </tr>
  )
}
