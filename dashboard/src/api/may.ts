import { OPERATIONS } from 'virtual:operations'
import type { OperationId } from '@docent/contract/operations'
import { includesRole } from '@docent/contract/values/permissions'
import { useContext } from 'preact/hooks'
import { type Account, AccountContext } from './session.ts'

/** Why the member may not call an operation, or null. The service decides; this spares people a refusal. */
export function whyRefused({ role, serverIds }: Pick<Account, 'role' | 'serverIds'>, id: OperationId): string | null {
  const { role: least = 'viewer', isWide } = OPERATIONS[id]
  if (!includesRole(role, least)) {
    const who = least === 'owner' ? 'an owner' : 'an editor or an owner'
    return `Only ${who} of the account can do this, and you have the role ${role}. Ask an owner.`
  }
  return isWide && serverIds !== null ? 'You see only some servers, and this is about the account. Ask an owner.' : null
}

/** Tells why the signed-in member may not call an operation, or null. */
export function useWhyRefused(): (id: OperationId) => string | null {
  const account = useContext(AccountContext)
  return (id) => (account ? whyRefused(account, id) : null)
}

/** Tells whether the signed-in member may call an operation. */
export function useMay(): (id: OperationId) => boolean {
  const why = useWhyRefused()
  return (id) => why(id) === null
}
