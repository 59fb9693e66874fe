import { maskAddresses } from '#lib/addresses/secret-address.ts'
import { createHmac, randomBytes } from 'node:crypto'
import { RECEIVER_TIMEOUT_MS } from '@docent/contract/operations/webhooks'
import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { readRetryAfter } from '#net/host-pace.ts'
import type { SecretOwner, Vault } from '#auth/vault.ts'
import { DocentError } from '#errors.ts'
import type { WebhookRow } from '#store/webhooks/webhooks.ts'

/** The result of one attempt. `error` is null for a success. */
export type Attempt = {
  status: number | null
  error: string | null
  durationMs: number
  /** Wait that the receiver asks for. */
  retryAfterMs: number | null
}

type Message = { id: string; url: string; body: string; secrets: readonly string[]; now: number }

/** Most of an answer that is read. Its content is ignored. */
const MAX_ANSWER_BYTES = 64 * 1024

/** Sends a signed event once. Redirects are not followed, so that no other host gets it. Rejects only when aborted. */
export async function send(net: NetClient, message: Message, signal: AbortSignal): Promise<Attempt> {
  const { id, url, body, secrets, now } = message
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  try {
    const { status, headers, release } = await net.fetch(url, {
      headers: signedHeaders(secrets, { id, body, now }),
      body: { type: 'application/json', text: body },
      totalMs: RECEIVER_TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      acceptRedirect: () => false,
      signal,
    })
    release?.()
    const retryAfterMs = readRetryAfter(headers['retry-after'], now)
    return { status, error: problemOf(status), durationMs: elapsed(), retryAfterMs }
  } catch (error) {
    if (!(error instanceof NetError) || signal.aborted) throw error
    const why = error.reason === 'timeout' ? TOO_SLOW : maskAddresses(error.message)
    return { status: null, error: why, durationMs: elapsed(), retryAfterMs: null }
  }
}

const TOO_SLOW = `The receiver did not answer within ${RECEIVER_TIMEOUT_MS / 1000} seconds. Answer first, then do the work.`

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) {
    return `The receiver answered ${status}, a redirect. Redirects are not followed: change the address of the webhook.`
  }
  if (status === 410) return 'The receiver answered 410: it wants no more events.'
  return `The receiver answered ${status}. It has to answer with a status from 200 to 299.`
}

/** As the specification recommends: 24 to 64 bytes. */
const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** A new secret in the form of the Standard Webhooks specification. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/**
 * Headers of a signed delivery, by the Standard Webhooks specification
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): HMAC-SHA256 over id,
 * time in seconds and body. Each secret makes one signature; a receiver looks for one that it can verify.
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, body, now }: { id: string; body: string; now: number },
) {
  const timestamp = String(Math.floor(now / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** The secret of a webhook, and the one before while both sign. Empty if the key that encrypts it is missing. */
export function openSecrets(vault: Vault, webhook: WebhookRow, now: number): string[] {
  const { id, sealedSecret, sealedPreviousSecret, previousSecretUntil } = webhook
  const secret = openSecret(vault, sealedSecret, { table: 'webhooks', id })
  if (secret === null) return []
  if (sealedPreviousSecret === null || (previousSecretUntil ?? 0) <= now) return [secret]
  const previous = openSecret(vault, sealedPreviousSecret, { table: 'webhookPreviousSecrets', id })
  return previous === null ? [secret] : [secret, previous]
}

/** Null if the key of this instance that encrypts the secret is missing. */
export function openSecret(vault: Vault, sealed: string, owner: SecretOwner): string | null {
  try {
    return vault.unseal(sealed, owner)
  } catch (error) {
    if (error instanceof DocentError && error.code === 'credentials_unavailable') return null
    throw error
  }
}
