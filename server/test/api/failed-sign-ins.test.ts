import { beforeEach, expect, test } from 'vitest'
import { takeFromWindow } from '#auth/rate-limit.ts'
import { accountWindow, signInWindows } from '#operations/account/sessions.ts'
import { clientNetwork } from '#lib/addresses/client-network.ts'
import type { Store } from '#store/db.ts'
import { onBothEngines } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { browsers, PASSWORD } from '../support/service/sign-in.ts'

const takeOfAll = (store: Store, email: string, count: number) =>
  takeFromWindow(store, { ...accountWindow(email), now: Date.now(), count })

onBothEngines('failed sign-ins', (engine) => {
  let docent: Docent
  const { signIn, account } = browsers(() => docent)
  beforeEach(async () => {
    docent = await startDocent({ engine, environment: { DOCENT_TRUSTED_PROXIES: '1' } })
    return () => docent[Symbol.asyncDispose]()
  })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  /** Failures of an address that came before, for `email` or for other accounts. Each would cost a password hash. */
  const failBefore = (address: string, count: number, email?: string) =>
    docent.inStore(async (store) => {
      const [perAddress, perAccount] = signInWindows(clientNetwork(address), email ?? 'nobody@example.test')
      const windows = email === undefined ? [perAddress] : [perAddress, perAccount]
      for (const window of windows) if (window) await takeFromWindow(store, { ...window, now: Date.now(), count })
    })
  const times = async (count: number, attempt: (n: number) => Promise<{ status: number }>) => {
    const statuses = new Set<number>()
    for (let n = 0; n < count; n++) statuses.add((await attempt(n)).status)
    return [...statuses]
  }

  test('blocks an address after 20 failures in 15 minutes across accounts, not counting right passwords', async () => {
    const email = await account('one')
    await failBefore('192.0.2.1', 18)
    expect(await times(3, () => signIn(email, PASSWORD, from('192.0.2.1')))).toEqual([200])
    expect(await times(2, (n) => signIn(`nobody-${n}@example.test`, 'wrong', from('192.0.2.1')))).toEqual([401])
    const refused = await signIn(email, PASSWORD, from('192.0.2.1'))
    expect([refused.status, refused.body.limit]).toEqual([429, 20])
    expect(refused.body.error).toMatch(
      /The limit is 20 failed sign-ins from one network address in 15 minutes\. Try again/,
    )
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(15 * 60 - 120)
    expect(wait).toBeLessThanOrEqual(15 * 60)
    expect((await signIn(email, PASSWORD, from('192.0.2.2'))).status).toBe(200)
  })

  test('blocks an IPv6 /64 network after 20 failures', async () => {
    const email = await account('one')
    await failBefore('2001:db8:0:1::99', 17)
    expect(await times(3, (n) => signIn(email, 'wrong', from(`2001:db8:0:1::${n}`)))).toEqual([401])
    expect((await signIn(email, PASSWORD, from('2001:db8:0:1:ffff::1'))).status).toBe(429)
    expect((await signIn(email, PASSWORD, from('2001:db8:0:2::1'))).status).toBe(200)
    expect((await signIn(email, PASSWORD, from('::ffff:192.0.2.1'))).status).toBe(200)
  })

  test('blocks one account for one address after 30 failures in an hour', async () => {
    const email = await account('one')
    const [, perAccount] = signInWindows('192.0.2.1', email)
    if (!perAccount) throw new Error('there is no such window')
    await docent.inStore((store) => takeFromWindow(store, { ...perAccount, now: Date.now(), count: 29 }))
    expect((await signIn(email, 'wrong', from('192.0.2.1'))).status).toBe(401)
    // Both windows are checked before either counts.
    expect(await times(25, () => signIn(email.toUpperCase(), PASSWORD, from('192.0.2.1')))).toEqual([429])
    expect((await signIn('nobody@example.test', 'wrong', from('192.0.2.1'))).status).toBe(401)
    expect((await signIn(email, PASSWORD, from('192.0.2.2'))).status).toBe(200)
  })

  test('accepts the right password after many failures from other addresses', async () => {
    const email = await account('one')
    for (let n = 2; n < 32; n++) await failBefore(`198.51.100.${n}`, 1, email)
    expect(await times(2, (n) => signIn(email, 'wrong horse', from(`198.51.100.${n}`)))).toEqual([401])
    expect((await signIn(email, PASSWORD, from('198.51.100.99'))).status).toBe(200)
  })

  test('admits a person under attack from all networks where they have signed in before, and tells them', async () => {
    const email = await account('one')
    expect((await signIn(email, PASSWORD, from('192.0.2.1'))).body.failedSignIns).toBe(0)
    await docent.inStore((store) => takeOfAll(store, email, 99))
    expect((await signIn(email, 'wrong horse', from('198.51.100.1'))).status).toBe(401)
    const refused = await signIn(email, PASSWORD, from('198.51.100.2'))
    expect([refused.status, refused.body.limit]).toEqual([429, 100])
    expect((await signIn('nobody@example.test', 'wrong', from('198.51.100.2'))).status).toBe(401)
    const admitted = await signIn(email, PASSWORD, from('192.0.2.1'))
    expect([admitted.status, admitted.body.failedSignIns]).toEqual([200, 1])
    expect((await signIn(email, PASSWORD, from('192.0.2.1'))).body.failedSignIns).toBe(0)
  })

  test('blocks an address after 20 concurrent failures', async () => {
    await failBefore('192.0.2.1', 14)
    const answers: { status: number }[] = []
    for (let n = 0; n < 2; n++) {
      const guess = () => signIn(`nobody-${n}@example.test`, 'wrong', from('192.0.2.1'))
      answers.push(...(await Promise.all(Array.from({ length: 8 }, guess))))
    }
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(6)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
  })
})
