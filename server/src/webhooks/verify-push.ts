import { createHmac } from 'node:crypto'
import { MAX_PUSH_BYTES } from '@docent/contract/operations/pushes'
import { sameHash } from '#auth/secret.ts'
import { DocentError } from '#errors.ts'

/** Request headers in lower case. */
type Headers = Readonly<Record<string, string | undefined>>

/** Headers by which code hosts announce themselves. Gitea and Forgejo also send those of GitHub. */
const SENDERS = {
  'x-forgejo-event': 'Forgejo',
  'x-gitea-event': 'Gitea',
  'x-github-event': 'GitHub',
  'x-gitlab-event': 'GitLab',
  'x-event-key': 'Bitbucket',
} as const

/** Headers with an HMAC-SHA256 of the body in hex. The last one is Bitbucket's; GitHub sends SHA-1 there. */
const SIGNATURES = ['x-hub-signature-256', 'x-forgejo-signature', 'x-gitea-signature', 'x-hub-signature'] as const

/** GitLab sends the secret itself. */
const TOKEN = 'x-gitlab-token'

/**
 * Verifies a push, whose body is read but not kept. Returns its sender. Code hosts must sign with the secret. For others
 * the address suffices, unless they sign. Throws `401 push_signature_invalid`, or `413 payload_too_large`.
 */
export async function verifyPush(headers: Headers, body: AsyncIterable<Uint8Array>, secret: string): Promise<string> {
  const hmac = createHmac('sha256', secret)
  let size = 0
  for await (const piece of body) {
    size += piece.byteLength
    if (size > MAX_PUSH_BYTES) throw new DocentError('payload_too_large')
    hmac.update(piece)
  }
  const [, host] = Object.entries(SENDERS).find(([name]) => headers[name] !== undefined) ?? []
  const given = SIGNATURES.map((name) => headers[name]).find(
    (value) => value !== undefined && !value.startsWith('sha1='),
  )
  const token = headers[TOKEN]
  const isSigned = given !== undefined || token !== undefined
  if (!isSigned && host === undefined) return 'address'
  const isValid =
    given === undefined
      ? token !== undefined && sameHash(token, secret)
      : sameHash(given.replace(/^sha256=/, ''), hmac.digest('hex'))
  if (!isValid) throw new DocentError('push_signature_invalid')
  return host ?? 'signed'
}
