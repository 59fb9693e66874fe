import { z } from 'zod'
import { ServerParameterSchema, ok, sourceId } from '#fields.ts'
import { defineOperation } from '#operation.ts'
import type { RateLimit } from '#rate-limit.ts'

/** Largest body of a push: the limit of GitHub. */
export const MAX_PUSH_BYTES = 25 << 20

/** Pushes to `POST /api/hooks/{token}`, per source. */
export const PUSH_RATE: RateLimit = { limit: 60, windowMs: 60_000, of: 'pushes to one source' }

const input = ServerParameterSchema.extend({ sourceId })
const PushAddressSchema = z.object({
  url: z.string().nullable().describe('Address to which changes are reported with `POST`; null until it is made'),
  secret: z.string().nullable().describe('Secret with which code hosts sign; null until it is made'),
  lastPushAt: z.iso.datetime().nullable().describe('Time of the last push; null before the first'),
  lastPushFrom: z.string().nullable().describe('Its sender, such as `GitHub`; `address` without a signature'),
})
const errors = [
  'unauthorized',
  'not_permitted',
  'server_not_found',
  'source_not_found',
  'credentials_unavailable',
] as const

export const pushOperations = {
  'pushes.address': defineOperation({
    method: 'GET',
    path: '/api/mcp/{id}/sources/{sourceId}/push',
    auth: 'key',
    needs: ['editor', 'write'],
    resource: 'source',
    audited: true,
    summary: 'Read the address to which changes of a source are reported',
    input,
    output: PushAddressSchema,
    errors,
  }),
  'pushes.makeAddress': defineOperation({
    method: 'POST',
    path: '/api/mcp/{id}/sources/{sourceId}/push',
    auth: 'key',
    needs: ['editor', 'write'],
    resource: 'source',
    summary: 'Make the address to which changes of a source are reported, in place of an earlier one',
    description: `Give address and secret to the webhooks of GitHub, GitLab, Bitbucket, Gitea or Forgejo, as JSON and for push events, or the
address alone to the deploy hook of a site.`,
    input,
    output: PushAddressSchema,
    errors,
  }),
  'pushes.receive': defineOperation({
    method: 'POST',
    path: '/api/hooks/{token}',
    auth: 'none',
    resource: 'pushedSource',
    consumes: 'application/octet-stream',
    summary: 'Report that a source has changed, so that it is read again',
    description: `Called by code hosts and deploy hooks at the address of a source. GitHub, GitLab, Bitbucket, Gitea and Forgejo have to sign
with the secret. Others can sign as GitHub does (\`X-Hub-Signature-256\`), or call the address without a body. A push during a
reading is read after it, and many of them once. At most ${PUSH_RATE.limit} pushes to one source a minute.`,
    input: z.object({ token: z.string().describe('The last part of the address') }),
    output: z.object({ ok, queued: z.boolean().describe('False if it joins one that waits or is read') }),
    errors: [
      'push_address_not_found',
      'push_signature_invalid',
      'too_many_requests',
      'payload_too_large',
      'request_timeout',
      'chunks_too_small',
    ],
  }),
} as const
