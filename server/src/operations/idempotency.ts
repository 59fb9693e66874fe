import { createHmac, hash, hkdfSync } from 'node:crypto'
import type { Actor } from '#auth/authenticate.ts'
import { DocentError } from '#errors.ts'
import { seal, unseal } from '#lib/seal.ts'
import type { Db } from '#store/db.ts'
import { findIdempotentAnswer, insertIdempotentAnswer } from '#store/accounts/accounts.ts'

const KEPT_MS = 24 * 60 * 60 * 1000
/** Printable ASCII, as in the IETF draft of the header. Other services allow the same length. */
const WELL_FORMED = /^[\x20-\x7e]{1,255}$/

type Request = {
  operation: string
  accountId: string
  credential: Actor['credential']
  idempotencyKey: string
  /** The whole input. The same key with other input is an error. */
  given: unknown
}

export type Idempotency = ReturnType<typeof openIdempotency>

/** A concurrent request with the same key finished first. This transaction must not be committed. */
export class AlreadyDone extends Error {
  override name = 'AlreadyDone'
}

/**
 * Opens the record of an `Idempotency-Key`, scoped to the caller's API key or session and one operation. A response can
 * contain a secret that is shown once, so it is encrypted under a key derived from the caller's credential, which we do
 * not store.
 */
export function openIdempotency(db: Db, request: Request, now: number) {
  const { operation, accountId, credential, idempotencyKey, given } = request
  if (!WELL_FORMED.test(idempotencyKey)) throw new DocentError('idempotency_key_malformed')
  const id = hash('sha256', JSON.stringify([credential.id, operation, idempotencyKey]))
  const key = Buffer.from(hkdfSync('sha256', credential.secret, idempotencyKey, 'docent idempotent answer', 32))
  const requestHash = createHmac('sha256', key).update(JSON.stringify(given)).digest('hex')
  return {
    /** The stored response of an earlier request. Throws `422 idempotency_key_reused` if its input differed. */
    async replay(): Promise<{ answer: unknown } | undefined> {
      const kept = await findIdempotentAnswer(db, id, now)
      if (!kept) return undefined
      if (kept.requestHash !== requestHash) throw new DocentError('idempotency_key_reused')
      return { answer: JSON.parse(unseal(key, kept.answer, id)) as unknown }
    },
    async remember(tx: Db, answer: unknown): Promise<void> {
      const sealed = seal(key, JSON.stringify(answer), id)
      const row = { id, accountId, requestHash, answer: sealed, expiresAt: now + KEPT_MS }
      if (!(await insertIdempotentAnswer(tx, row, now))) throw new AlreadyDone()
    },
  }
}
