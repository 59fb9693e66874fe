import type { Output } from '@docent/sdk'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export type Account = Output<'sessions.list'>['account']

/** The signed-in account. Screens are shown only with one. */
export const AccountContext = createContext<Account | null>(null)

export function useAccount(): Account {
  const account = useContext(AccountContext)
  if (!account) throw new Error('This screen needs a session')
  return account
}
