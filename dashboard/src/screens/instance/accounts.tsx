import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoad } from '../../api/use-load.ts'
import { ago, dateTime, number } from '../../lib/format.ts'
import { setQuery } from '../../lib/router.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { say } from '../../ui/notices.tsx'
import { ListBar } from '../../ui/list-bar.tsx'
import { NothingFound, useAnswerPart } from '../../ui/listing.tsx'
import { Loaded, Problem } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'

type Account = Output<'instance.accounts'>['accounts'][number]
type Plan = Account['plan']
type Props = { query: URLSearchParams; settings: Output<'instance.get'>['settings'] }

const PLANS: readonly Plan[] = ['free', 'core', 'unlimited']

/** The accounts, the newest first, with a choice of plan for each. */
export function Accounts({ query, settings }: Props) {
  const email = query.get('accounts-search') ?? ''
  const part = useAnswerPart({ query, of: 'accounts', name: 'accounts-page', sizes: [20, 10], answerSize: 20 })
  const accounts = useLoad(`accounts ${email} ${part.answer}`, (signal) =>
    call('instance.accounts', { page: part.answer, ...(email === '' ? {} : { email }) }, { signal }),
  )
  return (
    <>
      <ListBar find="Find an account by its email address" query={query} choices={[]} prefix="accounts">
        <span class="small mute">
          {settings.signUps
            ? `Anybody can sign up, and gets the plan ${settings.defaultPlan}.`
            : 'Sign-up is off. DOCENT_SIGNUPS=on allows it.'}
        </span>
      </ListBar>
      <Loaded from={accounts} what="the accounts">
        {(list) =>
          list.total === 0 ? (
            <NothingFound
              show="Show all accounts"
              onShow={() => setQuery({ 'accounts-search': null, 'accounts-page': null })}
            />
          ) : (
            <>
              <AccountTable accounts={part.shown(list.accounts)} passwords={settings.passwords} />
              {part.pager(list.total)}
            </>
          )
        }
      </Loaded>
      <div class="add">
        <InviteAccount onMade={accounts.reload} />
      </div>
    </>
  )
}

function InviteAccount({ onMade }: { onMade: () => void }) {
  const [email, setEmail] = useState('')
  const [link, setLink] = useState<string | null>(null)
  const invite = useAction(async () => {
    setLink((await call('instance.inviteAccount', { email })).link)
    setEmail('')
    onMade()
  })
  return (
    <>
      {link !== null && <ShownOnce what="The link for the owner" text={link} onDone={() => setLink(null)} />}
      <Form action={invite} submit="Make an account">
        <Field
          label="Email address of a new account’s owner"
          type="email"
          required
          value={email}
          onInput={({ currentTarget }) => setEmail(currentTarget.value)}
        />
      </Form>
    </>
  )
}

function AccountTable({ accounts, passwords }: { accounts: readonly Account[]; passwords: boolean }) {
  return (
    <Table columns={['Account', 'Since', { right: 'Servers' }, { right: 'Requests this month' }, { right: 'Plan' }]}>
      {accounts.map((account) => (
        <Row key={account.id} account={account} passwords={passwords} />
      ))}
    </Table>
  )
}

function Row({ account, passwords }: { account: Account; passwords: boolean }) {
  const { id, email, isOperator, createdAt, trialEndsAt, servers, requests } = account
  const [link, setLink] = useState<string | null>(null)
  const [disabledAt, setDisabledAt] = useState(account.disabledAt)
  const turn = async (disabled: boolean) =>
    setDisabledAt((await call('instance.switchAccount', { accountId: id, disabled })).disabledAt)
  const [plan, setPlan] = useState(account.plan)
  const change = useAction(async (next: Plan) => {
    setPlan((await call('instance.changePlan', { accountId: id, plan: next })).plan)
    say('Saved')
  })
  const isTrial = trialEndsAt !== null && Date.parse(trialEndsAt) > Date.now()
  return (
    <tr>
      <th scope="row">
        {email}
        {isOperator && <div class="small mute">operator</div>}
        {disabledAt !== null && <div class="small mute">switched off {ago(disabledAt)}</div>}
        {link !== null && <ShownOnce what="The link for a new password" text={link} onDone={() => setLink(null)} />}
        {change.error && <Problem error={change.error} />}
      </th>
      <td data-label="Since">
        <time dateTime={createdAt} title={dateTime(createdAt)}>
          {ago(createdAt)}
        </time>
        {isTrial && plan === 'free' && <div class="small mute">trial ends {ago(trialEndsAt)}</div>}
      </td>
      <td class="r" data-label="Servers">
        {number(servers)}
      </td>
      <td class="r" data-label="Requests this month">
        {number(requests)}
      </td>
      <td class="r">
        <select
          class="plan"
          aria-label={`Plan of ${email}`}
          disabled={change.isBusy}
          value={plan}
          onChange={({ currentTarget }) => change.run(currentTarget.value as Plan)}
        >
          {PLANS.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        {!isOperator && (
          <div class="small">
            {passwords && (
              <ConfirmButton
                to="instance.resetAccount"
                title={`Reset ${email}`}
                about="The password and the sessions of the owner end. You give the person a link for a new password."
                work={async () => setLink((await call('instance.resetAccount', { accountId: id })).link)}
              >
                Reset
              </ConfirmButton>
            )}{' '}
            {disabledAt === null ? (
              <ConfirmButton
                to="instance.switchAccount"
                title={`Switch ${email} off`}
                about="Its keys, sessions, tokens and servers are refused from the next request on. Nothing is deleted."
                work={() => turn(true)}
              >
                Switch off
              </ConfirmButton>
            ) : (
              <button type="button" class="btn s" onClick={() => void turn(false)}>
                Switch on
              </button>
            )}
          </div>
        )}
      </td>
    </tr>
  )
}
