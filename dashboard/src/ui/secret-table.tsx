import { ago, dateTime } from '../lib/format.ts'
import { ConfirmButton } from './confirm-button.tsx'
import { Table } from './table.tsx'

/** A secret as lists show it: never the whole text. */
export type ListedSecret = { id: string; name: string; shown: string; lastUsedAt: string | null; sees?: string }

type Props = {
  /** Title of the column of secrets. */
  kind: string
  secrets: readonly ListedSecret[]
  /** The effect on users of a revoked secret. */
  about: string
  onRevoke: (id: string) => Promise<unknown>
}

/** Secrets that are valid now, each with its last use and a button that revokes it. */
export function SecretTable({ kind, secrets, about, onRevoke }: Props) {
  const hasScope = secrets.some(({ sees }) => sees !== undefined)
  return (
    <Table columns={['Name', kind, ...(hasScope ? ['Sees'] : []), 'Last used']} hasActions>
      {secrets.map(({ id, name, shown, lastUsedAt, sees }) => (
        <tr key={id}>
          <th scope="row">{name}</th>
          <td class="m">{shown}</td>
          {hasScope && <td data-label="Sees">{sees}</td>}
          <td data-label="Last used">
            {lastUsedAt ? <time title={dateTime(lastUsedAt)}>{ago(lastUsedAt)}</time> : 'never'}
          </td>
          <td class="r">
            <ConfirmButton title={`Revoke ${name}`} about={about} work={() => onRevoke(id)}>
              Revoke
            </ConfirmButton>
          </td>
        </tr>
      ))}
    </Table>
  )
}
