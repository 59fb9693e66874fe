import { createHash } from 'node:crypto'
import { MAX_DAILY_QUESTIONS } from '@docent/contract/operations/webhooks'
import { isWithoutAnswer } from '@docent/contract/values/outcomes'
import { seesRequestLog } from '#auth/plans.ts'
import { isoTime, monthOf } from '#lib/clock.ts'
import type { LoggedRow } from '#store/calls/write-calls.ts'
import type { Db } from '#store/db.ts'
import { countNotices, insertNotice, subscribedServers } from '#store/webhooks/webhooks.ts'
import { SEND_EVENT } from './announce.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Queues `question.unanswered` for questions without a good answer, in the transaction that writes their calls. Anybody
 * can ask a public server anything, so each server has a daily limit, and each wording is announced once a month.
 */
export async function announceQuestions(tx: Db, calls: readonly LoggedRow[], now: number): Promise<void> {
  const asked = calls.filter(({ query, outcome }) => query !== null && isWithoutAnswer(outcome))
  if (asked.length === 0) return
  const ids = [...new Set(asked.map(({ serverId }) => serverId))]
  const subscribed = await subscribedServers(tx, 'question.unanswered', ids)
  const servers = new Map(subscribed.filter((row) => seesRequestLog(row, now)).map((row) => [row.id, row]))
  for (const { id: callId, serverId, at, tool, query, outcome } of asked) {
    const server = servers.get(serverId)
    if (!server || query === null) continue
    const { accountId, slug, name } = server
    const prefix = `question ${serverId}`
    if ((await countNotices(tx, { accountId, prefix, since: now - DAY_MS })) >= MAX_DAILY_QUESTIONS) continue
    const subject = `${prefix} ${createHash('sha256').update(query.toLowerCase()).digest('base64url')}`
    if (!(await insertNotice(tx, { accountId, subject, period: monthOf(now).name, createdAt: now }))) continue
    const data = { serverId, slug, name, callId, at: isoTime(at), tool, question: query, outcome }
    await SEND_EVENT['question.unanswered'](tx, { accountId, serverId, data }, now)
  }
}
