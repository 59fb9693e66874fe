import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { readSecret } from '../read-secret.ts'
import { type ClientCommand, argumentOf, optionOf } from './client-command.ts'

export const SITE_ACCESS_COMMANDS: readonly ClientCommand[] = [
  {
    name: 'site-access list',
    about: 'List the sites behind a login that the account can read.',
    async run(client) {
      const answer = await client.siteAccess.list()
      const rows = answer.siteAccess.map(({ id, origin, kind, lastUsedAt, sources }) => {
        const users = sources.filter(({ usesAccess }) => usesAccess).length
        return [id, origin, kind, lastUsedAt ?? 'never', `${users} of ${sources.length}`]
      })
      return { json: answer, table: [['access', 'site', 'kind', 'last use', 'sources'], ...rows] }
    },
  },
  {
    name: 'site-access set',
    about: 'Save the credential of a site, which is asked for, and tried first.',
    arguments: [['<address>', 'address of the site']],
    options: [
      ['--user <name>', 'the credential is the password of this user'],
      ['--header <name>', 'the credential is the value of this header'],
      ['--cookie', 'the credential is the Cookie header of a signed-in browser'],
      ['--secret-stdin', 'read the credential from standard input instead of asking for it'],
    ],
    async run(client, args, options, { terminal }) {
      const user = optionOf(options, 'user')
      const name = optionOf(options, 'header')
      if ([user, name, options['cookie'] || undefined].filter((each) => each !== undefined).length !== 1)
        throw new CommandError('Give one of --user, --header and --cookie.', EXIT.usage)
      const fromStdin = options['secretStdin'] === true
      const secret = await readSecret(terminal, { name: 'credential', option: '--secret-stdin', fromStdin })
      const credential =
        user !== undefined
          ? { basic: { user, password: secret } }
          : name !== undefined
            ? { header: { name, value: secret } }
            : { cookie: secret }
      const answer = await client.siteAccess.save({ origin: argumentOf(args, 0), ...credential })
      const unused = answer.sources.filter(({ usesAccess }) => !usesAccess)
      return {
        json: answer,
        lines: [`${answer.id}  ${answer.origin}`],
        notes: unused.map(
          ({ slug, sourceId, url }) =>
            `${url} of ${slug} is not read with it. Remove the source ${sourceId} and add it again: the server becomes private.`,
        ),
      }
    },
  },
  {
    name: 'site-access remove',
    about: 'Remove the credential of a site, and everything that was read with it.',
    arguments: [['<access>', 'id of the site access']],
    destroys: 'the site access {0}, with everything that was read with it',
    async run(client, args) {
      const answer = await client.siteAccess.remove({ siteAccessId: argumentOf(args, 0) })
      return { json: answer, lines: [`Removed. Sources whose content is deleted: ${answer.sources}.`] }
    },
  },
]
