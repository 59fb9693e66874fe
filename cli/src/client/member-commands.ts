import { ROLE_NAMES, type Role } from '@docent/contract/values/permissions'
import { type ClientCommand, argumentOf, given, listOf, numberOf } from './client-command.ts'

const MEMBER = ['<member>', 'id of the member'] as const
const ROLE = ['<role>', 'the role in the account', ROLE_NAMES] as const
const SERVERS = ['--servers <ids>', 'the only servers that the member sees, with commas between them'] as const

const seen = (serverIds: readonly string[] | null): string => serverIds?.join(' ') ?? 'all servers'

export const MEMBER_COMMANDS: readonly ClientCommand[] = [
  {
    name: 'audit list',
    about: 'Show what was done in the account, newest first.',
    options: [['--page <number>', 'page of the list']],
    async run(client, _, options) {
      const answer = await client.audit.list({ ...given({ page: numberOf(options, 'page') }) })
      const rows = answer.entries.map(({ at, action, by, address, thing, thingId }) => [
        at,
        action,
        by ?? '?',
        address ?? '-',
        [thing, thingId].filter(Boolean).join(' '),
      ])
      return { json: answer, table: [['time', 'action', 'by', 'from', 'thing'], ...rows] }
    },
  },
  {
    name: 'members list',
    about: 'List the members of the account, and its open invitations.',
    async run(client) {
      const answer = await client.members.list()
      const members = answer.members.map(({ id, email, role, serverIds }) => [id, email, role, seen(serverIds)])
      const invited = answer.invitations.map(({ id, email, role, serverIds }) => [
        id,
        `${email} (invited)`,
        role,
        seen(serverIds),
      ])
      return { json: answer, table: [['member', 'address', 'role', 'sees'], ...members, ...invited] }
    },
  },
  {
    name: 'members invite',
    about: 'Invite a person, and print the link, this once, on standard output.',
    arguments: [['<email>', 'address of the person'], ROLE],
    options: [SERVERS],
    async run(client, args, options) {
      const serverIds = listOf(options, 'servers')
      const wanted = { email: argumentOf(args, 0), role: argumentOf(args, 1) as Role }
      const answer = await client.members.invite({ ...wanted, ...given({ serverIds }) })
      return { json: answer, lines: [answer.link] }
    },
  },
  {
    name: 'members withdraw',
    about: 'Withdraw an invitation.',
    arguments: [['<invitation>', 'id of the invitation']],
    async run(client, args) {
      const answer = await client.members.withdraw({ invitationId: argumentOf(args, 0) })
      return { json: answer, lines: ['The invitation is withdrawn.'] }
    },
  },
  {
    name: 'members change',
    about: 'Change the role of a member, with effect on the next request.',
    arguments: [MEMBER, ROLE],
    options: [SERVERS],
    async run(client, args, options) {
      const serverIds = listOf(options, 'servers')
      const wanted = { memberId: argumentOf(args, 0), role: argumentOf(args, 1) as Role }
      const answer = await client.members.change({ ...wanted, ...given({ serverIds }) })
      return { json: answer, lines: [`${answer.email} is ${answer.role} of ${seen(answer.serverIds)}.`] }
    },
  },
  {
    name: 'members transfer',
    about: 'Make another member the owner, and the owner before an editor.',
    arguments: [
      ['<member>', 'id of the new owner'],
      ['<owner>', 'id of the owner before'],
    ],
    async run(client, args) {
      const answer = await client.members.transfer({ memberId: argumentOf(args, 0), from: argumentOf(args, 1) })
      return { json: answer, lines: ['The account has the new owner.'] }
    },
  },
  {
    name: 'members remove',
    about: 'Remove a member, with the sessions, connections and keys of this member.',
    arguments: [MEMBER],
    options: [['--keep-keys', 'keep the keys that the member made']],
    destroys: 'the membership {0}',
    async run(client, args, options) {
      const keepKeys = options['keepKeys'] === true
      const answer = await client.members.remove({ memberId: argumentOf(args, 0), keepKeys })
      return { json: answer, lines: [`The member is removed. Keys that were revoked: ${answer.revokedKeys}.`] }
    },
  },
]
