import { z } from 'zod'
import { createdAt, ok, serverId, slug, sourceId } from '#fields.ts'
import { SOURCE_SECRET_MAX } from '#limits.ts'
import { defineOperation } from '#operation.ts'
import { HEADER_VALUE, MAX_URL, NOT_A_HEADER_VALUE } from '#values/sources.ts'

/** Maximum per account. Each is tried before it is saved. */
export const MAX_SITE_ACCESS = 100

/** Headers that describe the request or the connection, or by which a site knows the crawler. */
const TAKEN =
  /^(?:accept.*|connection|content-.*|cookie|expect|host|if-.*|keep-alive|range|te|transfer-.*|upgrade|user-agent)$/i
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

// Made anew for each use: JSON Schema would refer from one to the other.
const valueSchema = () => z.string().min(1).max(SOURCE_SECRET_MAX).regex(HEADER_VALUE, NOT_A_HEADER_VALUE)
const printable = (pattern: RegExp, problem: string) => z.string().max(500).regex(pattern, problem)

const SecretSchema = {
  basic: z
    .object({
      user: printable(/^[\x20-\x39\x3b-\x7e]+$/, 'must be printable ASCII without colons').describe('User name'),
      password: printable(/^[\x20-\x7e]*$/, 'must be printable ASCII').describe('Password'),
    })
    .optional()
    .describe('User name and password of HTTP basic authentication'),
  header: z
    .object({
      name: z
        .string()
        .max(100)
        .regex(HEADER_NAME, 'must be the name of a header')
        .refine((name) => !TAKEN.test(name), 'must not be a header of the request itself; cookies have a field')
        .describe('Name of the header'),
      value: valueSchema().describe('Its value'),
    })
    .optional()
    .describe('A request header with the credential, such as `Authorization` or `CF-Access-Client-Secret`'),
  cookie: valueSchema().optional().describe('Value of the `Cookie` header that a signed-in browser sends to the site'),
}
const KINDS = ['basic', 'header', 'cookie'] as const

const SiteAccessSchema = z.object({
  id: z.string().describe('Id of the site access'),
  origin: z.string().describe('Scheme, host and port to which the credential is sent'),
  kind: z.enum(KINDS).describe('Form of the credential, which is never returned'),
  createdAt,
  lastUsedAt: z.iso.datetime().nullable().describe('When it was last read for an indexing; null before the first'),
  sources: z
    .array(
      z.object({
        sourceId,
        serverId,
        slug,
        url: z.string().describe('Address of the source'),
        usesAccess: z
          .boolean()
          .describe(
            'Whether it is read with this access. If not, remove it and add it again: its server becomes private',
          ),
      }),
    )
    .describe('The sources of the account at this origin'),
})

export const siteAccessOperations = {
  'siteAccess.list': defineOperation({
    method: 'GET',
    path: '/api/site-access',
    auth: 'account',
    needs: ['viewer', 'read'],
    summary: 'List the sites behind a login that the account can read',
    input: z.object({}),
    output: z.object({ siteAccess: z.array(SiteAccessSchema).describe('In the order of their origins') }),
    errors: ['unauthorized', 'key_scoped'],
  }),
  'siteAccess.save': defineOperation({
    method: 'PUT',
    path: '/api/site-access',
    auth: 'account',
    needs: ['owner', 'publish'],
    summary: 'Save the credential with which the sources at an origin are read',
    description: `It is tried, then stored encrypted, in place of an earlier one of the origin. It is sent to this origin only, also in the
browser, and never after a redirect elsewhere. Sources that are added from then on are read with it, and their servers become private,
as for a private repository. The answer lists the sources that there are: one that is not read with it stays so until it is removed
and added again. Forms are not filled in. For a site with a sign-in form, copy the \`Cookie\` header that your browser sends when
you are signed in.`,
    input: z
      .object({
        origin: z
          .string('valid_url_required')
          .trim()
          .min(1, 'valid_url_required')
          .max(MAX_URL, `must have at most ${MAX_URL} characters`)
          .describe('Address of the site. With a path, the credential is tried there'),
        ...SecretSchema,
      })
      .refine(
        (given) => KINDS.filter((kind) => given[kind] !== undefined).length === 1,
        'must have one of `basic`, `header` and `cookie`',
      ),
    output: SiteAccessSchema,
    errors: [
      'unauthorized',
      'key_scoped',
      'valid_url_required',
      'invalid_input',
      'private_source_url',
      'site_access_limit',
      'credential_rejected',
      'host_unavailable',
      'credentials_unavailable',
    ],
  }),
  'siteAccess.remove': defineOperation({
    method: 'DELETE',
    path: '/api/site-access/{siteAccessId}',
    auth: 'account',
    needs: ['owner', 'publish'],
    resource: 'siteAccess',
    summary: 'Remove a site access, and everything that was read with it',
    description: 'Its sources stay. They are read again without it.',
    input: z.object({ siteAccessId: z.string().describe('Id of the site access') }),
    output: z.object({ ok, sources: z.number().int().describe('Number of sources whose content is deleted') }),
    errors: ['unauthorized', 'key_scoped', 'site_access_not_found'],
  }),
} as const
