import { anyAccount } from '#store/accounts/accounts.ts'
import type { Handler } from '../operation.ts'

export const getSetup: Handler<'setup.get'> = async ({ deps }) => ({
  open: !(await anyAccount(deps.store.read)),
  signUps: deps.config.signUps,
})
