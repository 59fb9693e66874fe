import { ROLES, ROLE_NAMES, type Role } from '@docent/contract/values/permissions'
import type { Output } from '@docent/sdk'
import { useId, useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useMay } from '../api/may.ts'
import { useAction } from '../api/use-action.ts'
import { useLoad } from '../api/use-load.ts'
import { ago, dateTime } from '../lib/format.ts'
import { Allowed } from '../ui/allowed.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { ServerPicker } from '../ui/server-picker.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Loaded, Problem } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'

type Team = Output<'members.list'>

/** The members of the account, and invitations of others. */
export function TeamScreen() {
  const may = useMay()
  const team = useLoad('team', may('members.list') ? (signal) => call('members.list', {}, { signal }) : null)
  const servers = useLoad('team servers', (signal) => call('servers.list', {}, { signal }))
  const live = servers.data?.filter(({ status }) => status !== 'deleted') ?? []
  const nameOf = new Map(live.map(({ id, name }) => [id, name]))
  const seenBy = (serverIds: readonly string[] | null) =>
    serverIds === null ? 'every server' : serverIds.map((server) => nameOf.get(server) ?? server).join(', ')
  const isOwner = may('members.invite')
  // The only owner has to make another one first.
  const mayLeave = !isOwner || (team.data?.members.filter(({ role }) => role === 'owner').length ?? 0) > 1
  return (
    <>
      <PageHead title="Team">
        <Allowed to="audit.list">
          <a class="btn" href="/audit">
            Audit log
          </a>
        </Allowed>
        {mayLeave && <Leave />}
      </PageHead>
      {isOwner && (
        <Section title="Invite" about="Docent sends no mail: you give the person the link.">
          <Invite servers={live} onMade={team.reload} />
        </Section>
      )}
      <Section title="Members" about="People of this account." last={!isOwner} to="members.list">
        <Loaded from={team} what="the members">
          {({ members }) => <Members members={members} isOwner={isOwner} seenBy={seenBy} onChange={team.reload} />}
        </Loaded>
      </Section>
      {isOwner && (
        <Section title="Invitations" about="Links that nobody has used yet." last>
          <Loaded from={team} what="the invitations">
            {({ invitations }) => <Invitations invitations={invitations} seenBy={seenBy} onChange={team.reload} />}
          </Loaded>
        </Section>
      )}
    </>
  )
}

function Leave() {
  const leave = async () => {
    await call('members.leave', {})
    location.assign('/sign-in')
  }
  return (
    <ConfirmButton
      to="members.leave"
      title="Leave this account"
      about="You lose access to it with your next request."
      work={leave}
    >
      Leave
    </ConfirmButton>
  )
}

function RoleField({ label, value, onChange }: { label: string; value: Role; onChange: (role: Role) => void }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Role)}
      >
        {ROLE_NAMES.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <p class="hint" id={`${id}-hint`}>
        {ROLES[value]}
      </p>
    </div>
  )
}

function Invite({ servers, onMade }: { servers: Output<'servers.list'>; onMade: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [server, setServer] = useState('')
  const [link, setLink] = useState<string | null>(null)
  const invite = useAction(async () => {
    const made = await call('members.invite', { email, role, ...(server === '' ? {} : { serverIds: [server] }) })
    setLink(made.link)
    setEmail('')
    onMade()
  })
  return (
    <>
      {link && <ShownOnce what="The link, which works once, for seven days" text={link} onDone={() => setLink(null)} />}
      <Form action={invite} submit="Make a link" isPrimary>
        <Field
          label="Email address of the person"
          type="email"
          required
          value={email}
          onInput={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <RoleField label="Role" value={role} onChange={setRole} />
        {role !== 'owner' && (
          <ServerPicker label="Sees" servers={servers} value={server} every="Every server" onChoose={setServer} />
        )}
      </Form>
    </>
  )
}

type ListProps = { seenBy: (serverIds: readonly string[] | null) => string; onChange: () => void }

function Members({ members, isOwner, seenBy, onChange }: ListProps & { members: Team['members']; isOwner: boolean }) {
  const change = useAction(async (memberId: string, role: Role, serverIds: string[] | null) => {
    await call('members.change', { memberId, role, serverIds })
    onChange()
  })
  return (
    <>
      {change.error && <Problem error={change.error} />}
      <Table columns={['Person', 'Role', 'Sees', 'Since']} hasActions={isOwner}>
        {members.map(({ id, email, role, serverIds, isYou, createdAt }) => (
          <tr key={id}>
            <th scope="row">
              {email}
              {isYou && <span class="mute"> (you)</span>}
            </th>
            <td data-label="Role">
              {isOwner && !isYou ? (
                <select
                  aria-label={`Role of ${email}`}
                  value={role}
                  disabled={change.isBusy}
                  onChange={({ currentTarget }) => change.run(id, currentTarget.value as Role, serverIds)}
                >
                  {ROLE_NAMES.map((name) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
                </select>
              ) : (
                role
              )}
            </td>
            <td data-label="Sees">{seenBy(serverIds)}</td>
            <td data-label="Since">
              <time title={dateTime(createdAt)}>{ago(createdAt)}</time>
            </td>
            {isOwner && (
              <td class="r">
                {!isYou && (
                  <>
                    <ConfirmButton
                      to="members.transfer"
                      title={`Make ${email} the owner`}
                      about="You become an editor, and can no longer change members, keys and visibility."
                      work={async () => {
                        await call('members.transfer', { memberId: id })
                        location.reload()
                      }}
                    >
                      Transfer
                    </ConfirmButton>{' '}
                    <ConfirmButton
                      to="members.remove"
                      title={`Remove ${email}`}
                      about="This ends their sessions and connections here, and revokes the keys that they made."
                      work={async () => {
                        await call('members.remove', { memberId: id })
                        onChange()
                      }}
                    >
                      Remove
                    </ConfirmButton>
                  </>
                )}
              </td>
            )}
          </tr>
        ))}
      </Table>
    </>
  )
}

function Invitations({ invitations, seenBy, onChange }: ListProps & { invitations: Team['invitations'] }) {
  if (invitations.length === 0) return <p class="mute">There is no open invitation.</p>
  return (
    <Table columns={['Address', 'Role', 'Sees', 'Ends']} hasActions>
      {invitations.map(({ id, email, role, serverIds, expiresAt }) => (
        <tr key={id}>
          <th scope="row">{email}</th>
          <td data-label="Role">{role}</td>
          <td data-label="Sees">{seenBy(serverIds)}</td>
          <td data-label="Ends">
            <time title={dateTime(expiresAt)}>{ago(expiresAt)}</time>
          </td>
          <td class="r">
            <ConfirmButton
              to="members.withdraw"
              title={`Withdraw the invitation of ${email}`}
              about="The link stops working."
              work={async () => {
                await call('members.withdraw', { invitationId: id })
                onChange()
              }}
            >
              Withdraw
            </ConfirmButton>
          </td>
        </tr>
      ))}
    </Table>
  )
}
