import { INSTANCE_PAGE_SIZE } from '@docent/contract/operations/instance'
import { INVITATION_DAYS } from '@docent/contract/operations/members'
import { PLAN_NAMES } from '@docent/contract/operations/purchases'
import { openAccount } from '#auth/accounts.ts'
import { newSecret } from '#auth/secret.ts'
import { DocentError, found } from '#errors.ts'
import { isoTimes, monthOf } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { findAccountByEmail, setDisabled, setPlan } from '#store/accounts/accounts.ts'
import { deleteSessions } from '#store/accounts/keys.ts'
import { deleteInvitations, insertInvitation, listMembers, updatePerson } from '#store/accounts/people.ts'
import type { Db } from '#store/db.ts'
import { pauseJobs } from '#store/jobs/queue.ts'
import { type ReportedAccount, countReportedAccounts, listReportedAccounts } from '#store/instance/instance-report.ts'
import { requirePasswords } from './account/sessions.ts'
import type { HandlersOf, OperationDeps } from './operation.ts'
import { pagingOf, partOf } from './paging.ts'

type Handlers = Pick<
  HandlersOf<'instance'>,
  | 'instance.accounts'
  | 'instance.changePlan'
  | 'instance.inviteAccount'
  | 'instance.switchAccount'
  | 'instance.resetAccount'
>

export const instanceAccountHandlers: Handlers = {
  'instance.accounts': async ({ deps }, { email, page }) => {
    const { read } = deps.store
    const total = await countReportedAccounts(read, { email })
    const month = monthOf(deps.clock()).name
    const rows = await listReportedAccounts(read, { email, month }, partOf(page, INSTANCE_PAGE_SIZE))
    return { accounts: rows.map(presentAccount), ...pagingOf(page, INSTANCE_PAGE_SIZE, total) }
  },

  'instance.changePlan': async ({ deps, account }, { plan }) => {
    await deps.store.transaction((tx) => setPlan(tx, account.id, plan))
    return reported(deps, account.id)
  },

  'instance.inviteAccount': async ({ deps }, { email: given, plan = deps.config.defaultPlan }) => {
    const email = given.toLowerCase()
    const link = await deps.store.transaction(async (tx) => {
      if (await findAccountByEmail(tx, email)) throw new DocentError('email_taken')
      const account = await openAccount(tx, { email, plan, now: deps.clock() })
      return makeLink(deps, tx, { accountId: account.id, email, personId: null })
    })
    return { link, email }
  },

  'instance.switchAccount': async ({ deps, account }, { disabled }) => {
    if (account.isOperator === 1) throw new DocentError('account_is_operator')
    await deps.store.transaction(async (tx) => {
      await setDisabled(tx, account.id, disabled ? deps.clock() : null)
      if (disabled) await pauseJobs(tx, account.id)
    })
    deps.wakeWorker({ taken: true })
    return reported(deps, account.id)
  },

  'instance.resetAccount': async ({ deps, account }) => {
    requirePasswords(deps)
    return deps.store.transaction(async (tx) => {
      const owners = (await listMembers(tx, account.id)).filter(({ role }) => role === 'owner')
      const owner = owners.find(({ email }) => email === account.email) ?? owners[0]
      const { id: personId = null, email = account.email } = owner ?? {}
      await deleteInvitations(tx, { accountId: account.id, email })
      if (personId) {
        await updatePerson(tx, personId, { passwordHash: null })
        await deleteSessions(tx, { personId }, null)
      }
      return { link: await makeLink(deps, tx, { accountId: account.id, email, personId }), email }
    })
  },
}

type Invited = { accountId: string; email: string; personId: string | null }

/** A link that works once: it makes a person the owner, or sets the password of the person who is it already. */
async function makeLink({ baseUrl, clock }: OperationDeps, tx: Db, invited: Invited): Promise<string> {
  const { plaintext, hash } = newSecret('dmi_')
  const now = clock()
  const expiresAt = now + INVITATION_DAYS * 24 * 60 * 60 * 1000
  const about = { id: newId('inv'), hash, role: 'owner' as const, serverIds: null }
  await insertInvitation(tx, { ...about, ...invited, createdAt: now, expiresAt })
  return `${baseUrl()}/invite#${plaintext}`
}

async function reported({ store, clock }: OperationDeps, id: string) {
  const wanted = { id, month: monthOf(clock()).name }
  const [changed] = await listReportedAccounts(store.write, wanted, partOf(1, 1))
  return presentAccount(found(changed, 'account_not_found'))
}

/** Unknown names of plans have the limits of the smallest. */
const presentAccount = (account: ReportedAccount) => ({
  ...isoTimes(account),
  plan: PLAN_NAMES.find((name) => name === account.plan) ?? PLAN_NAMES[0],
  isOperator: account.isOperator === 1,
})
