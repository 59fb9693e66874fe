import { z } from 'zod'
import { IssuedTokenSchema } from './access-tokens.ts'
import { ServerParameterSchema, ok, visibility } from '#fields.ts'
import { SOURCE_SECRET_MAX } from '#limits.ts'
import { defineOperation } from '#operation.ts'
import {
  AddressWarningSchema,
  AllowedToolsSchema,
  HEADER_VALUE,
  HeaderNameSchema,
  MAX_URL,
  NOT_A_HEADER_VALUE,
  SourceDetectionSchema,
  SourceInputSchema,
  SourceSchema,
  patterns,
} from '#values/sources.ts'

/** The length is checked together with the other rules, so that the refusal can explain the problem. */
const NeededUrlSchema = z
  .string('valid_url_required')
  .min(1, 'valid_url_required')
  .meta({ maxLength: MAX_URL, description: 'Address of the documentation' })

/** The token of a server that a source has made private. */
const issuedToken = IssuedTokenSchema.nullable().describe(
  'First access token of a server that this request made private; null if none was issued',
)

export const detectSource = defineOperation({
  method: 'POST',
  path: '/api/sources/detect',
  auth: 'key',
  needs: ['editor', 'write'],
  audited: false,
  rateLimit: { limit: 60, windowMs: 60_000, of: 'requests to detect the type of an address' },
  summary: 'Detect the type of an address before you add it',
  input: z.object({
    url: NeededUrlSchema,
  }),
  output: SourceDetectionSchema,
  errors: ['unauthorized', 'too_many_requests', 'valid_url_required', 'private_source_url', 'invalid_input'],
})

export const addSource = defineOperation({
  method: 'POST',
  path: '/api/mcp/{id}/sources',
  auth: 'key',
  needs: ['editor', 'write'],
  resource: 'server',
  onceByKey: true,
  tool: {
    name: 'add_source',
    title: 'Add a source',
    description:
      'Add a documentation site, repository, PDF, API description or MCP server as a source, and start indexing it. Then call get_indexing_progress. If the plan includes no further source, the result has a purchase link for the user.',
    kind: 'write',
    openWorld: true,
    arguments: { server: 'id', url: 'url', label: 'label' },
  },
  summary: 'Add a source to a server and start indexing it',
  description: `A private repository, or an MCP source with a credential, makes a public server private. If the server has no
access token, one is issued in \`issuedToken\`. A key that is scoped to servers cannot use the account's linked code
hosts, so it can add public repositories only. A credential in the address, such as \`?api_key=\`, is stored encrypted and
shown as \`?api_key=…\`; with one, an MCP source makes the server private.`,
  input: z.object({
    ...ServerParameterSchema.shape,
    url: NeededUrlSchema,
    type: SourceInputSchema.shape.type,
    label: SourceInputSchema.shape.label,
    auth: SourceInputSchema.shape.auth,
    allowedTools: SourceInputSchema.shape.allowedTools,
    ...patterns,
  }),
  output: SourceSchema.extend({ visibility, issuedToken, warning: AddressWarningSchema.optional() }),
  errors: [
    'unauthorized',
    'server_not_found',
    'valid_url_required',
    'private_source_url',
    'unsupported_auth_header',
    'only_mcp_credentials',
    'invalid_input',
    'source_limit_reached',
    'source_credit_required',
    'source_size_limit_reached',
    'source_exists',
    'auth_required',
    'not_found_or_no_access',
    'repo_access_failed',
    'credentials_unavailable',
    'idempotency_key_malformed',
    'idempotency_key_reused',
  ],
})

export const changeCredential = defineOperation({
  method: 'PATCH',
  path: '/api/mcp/{id}/sources',
  auth: 'key',
  needs: ['editor', 'write'],
  publishes: { remove: true },
  resource: 'server',
  summary: 'Change or remove the credential of an MCP source, or remove that in an address',
  description: `A new credential is tested first: with it, the service lists the tools of the remote server. If the server refuses it,
the answer is \`credential_rejected\`, and \`host_unavailable\` if the server cannot be asked. Then it is saved,
the source is indexed again, and a public server becomes private, with its first access token in \`issuedToken\`. Removing
a credential, also one in the address of any source, also removes everything indexed with it. The source is then indexed
again without it. The server
stays private.`,
  input: z.object({
    ...ServerParameterSchema.shape,
    sourceId: z.string('source_id_required').min(1, 'source_id_required').describe('Id of the source'),
    secret: z
      .string()
      .max(SOURCE_SECRET_MAX)
      .regex(new RegExp(`^$|${HEADER_VALUE.source}`), NOT_A_HEADER_VALUE)
      .optional()
      .describe('The new credential; never returned'),
    remove: z.boolean().optional().describe('`true` removes the credential'),
    headerName: HeaderNameSchema,
  }),
  output: z.object({
    ok,
    hasCredential: z.boolean().describe('Whether the source has a credential now'),
    tools: z.array(z.string()).describe('Names of the tools that the remote server lists with the new credential'),
    visibility,
    issuedToken,
  }),
  errors: [
    'unauthorized',
    'server_not_found',
    'source_id_required',
    'unsupported_auth_header',
    'invalid_input',
    'source_not_found',
    'only_mcp_credentials',
    'credential_required',
    'credential_rejected',
    'source_exists',
    'host_unavailable',
    'credentials_unavailable',
  ],
})

export const removeSource = defineOperation({
  method: 'DELETE',
  path: '/api/mcp/{id}/sources',
  auth: 'key',
  needs: ['editor', 'publish'],
  resource: 'sourceInBody',
  tool: {
    name: 'remove_source',
    title: 'Remove a source',
    description:
      'Remove a source from a server and delete everything indexed from it. Name it by source_id (get_server lists the ids) or by url. Ask the user first.',
    kind: 'delete',
    arguments: { server: 'id', source_id: 'sourceId', url: 'url' },
    deletes: 'the source {name} of the server "{server}", with everything indexed from it',
  },
  summary: 'Remove a source and delete everything indexed from it',
  description:
    'Name the source by `sourceId` or `url`. With both, both must match. If no source matches, the answer is `removed: 0`.',
  input: z
    .object({
      ...ServerParameterSchema.shape,
      sourceId: z.string().min(1).optional().describe('Id of the source'),
      url: z.string().min(1).optional().describe('Address of the source'),
    })
    .refine(({ sourceId, url }) => sourceId !== undefined || url !== undefined, 'source_id_or_url_required'),
  output: z.object({
    ok,
    removed: z.number().int().describe('Number of removed sources: 0 or 1'),
    purged: z
      .object({
        chunks: z.number().int().describe('Number of passages'),
        crawlUrls: z.number().int().describe('Number of known page addresses'),
        indexJobs: z.number().int().describe('Number of jobs'),
        callCitations: z.number().int().describe('Number of citations by calls'),
      })
      .describe('What was deleted with the source'),
    remainingPrivateSources: z.number().int().describe('Number of sources that keep the server private'),
  }),
  errors: ['unauthorized', 'server_not_found', 'source_id_or_url_required', 'invalid_input'],
})

export const updateSource = defineOperation({
  method: 'PATCH',
  path: '/api/mcp/{id}/sources/{sourceId}',
  auth: 'key',
  needs: ['editor', 'write'],
  resource: 'source',
  summary: 'Change the display name, the path patterns or the allowed tools of a source',
  description:
    'Patterns match the start of path and query, as in robots.txt: `*` stands for any characters, and a final `$` for the end. A change of the patterns starts indexing again. Tools of a remote MCP server are called if they declare `readOnlyHint`, or if `allowedTools` names them.',
  input: z.object({
    ...ServerParameterSchema.shape,
    sourceId: z.string().describe('Id of the source'),
    label: z.string().trim().max(100).nullish().describe('New display name; null removes it'),
    ...patterns,
    allowedTools: AllowedToolsSchema.optional(),
  }),
  output: SourceSchema,
  errors: ['unauthorized', 'server_not_found', 'source_not_found', 'invalid_input', 'nothing_to_update'],
})

export const sourceOperations = {
  'sources.detect': detectSource,
  'sources.add': addSource,
  'sources.changeCredential': changeCredential,
  'sources.remove': removeSource,
  'sources.update': updateSource,
} as const
