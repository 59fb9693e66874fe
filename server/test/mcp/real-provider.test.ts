import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createAccount } from '#auth/accounts.ts'
import { describe, expect, test } from 'vitest'
import { hasTestPackages, TEST_PACKAGES } from '../support/mcp/test-packages.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { freePort } from '../support/lib/free-port.ts'
import { openBrowser } from '../support/service/provider-browser.ts'

const isInstalled = hasTestPackages('sign-in with the provider of another project')

/** The provider as a process, for a service whose address is known. */
async function startProvider(redirectUri: string, authentication: string) {
  const child: ChildProcess = fork(join(TEST_PACKAGES, 'oidc-provider.mjs'), [redirectUri, authentication], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const [{ issuer }] = (await once(child, 'message')) as [{ issuer: string }]
  return {
    issuer,
    know: (sub: string, claims: object) => void child.send({ sub, claims }),
    stop: () => child.kill(),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** Signs in as a person does: through the forms of the provider's pages, with the cookies of one browser. */
async function signIn(docent: Docent, sub: string, browser = openBrowser(() => docent)) {
  let answer = await browser.send('/oidc/real/start?next=/servers')
  for (let step = 0; step < 12 && !answer.to.startsWith(`${docent.url}/servers`); step++) {
    const prompt = /name="prompt" value="(\w+)"/.exec(answer.text)?.[1]
    const action = /action="([^"]+)"/.exec(answer.text)?.[1]
    if (answer.to !== '') answer = await browser.send(answer.to)
    else if (prompt && action) {
      const body = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login: sub, password: 'any' } : {}) })
      answer = await browser.send(new URL(action, answer.url).href, { method: 'POST', body })
    } else break
  }
  return { browser, ...answer }
}

describe.skipIf(!isInstalled)('sign-in with the provider of another project', () => {
  test.each(['client_secret_post', 'client_secret_basic'])(
    'signs in twice, links, and changes roles: %s',
    async (how) => {
      // Its settings name the provider, and the provider knows its address: so the port is chosen first.
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      await using provider = await startProvider(`${url}/oidc/real/callback`, how)
      const settings = {
        id: 'real',
        name: 'Real',
        issuer: provider.issuer,
        clientId: 'docent',
        clientSecret: 'the secret of docent, long enough',
        roles: { writers: 'editor', readers: 'viewer' },
      }
      const environment = { DOCENT_PORT: String(port), DOCENT_SIGN_IN_PROVIDERS: JSON.stringify([settings]) }
      await using docent = await startDocent({ environment })

      provider.know('ann', { email: 'ann@corp.test', email_verified: false })
      await docent.inStore((store) =>
        createAccount(store, {
          email: 'ann@corp.test',
          password: 'correct horse battery',
          plan: 'free',
          isConfirmed: true,
        }),
      )
      const refused = await signIn(docent, 'ann')
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('has not confirmed')])
      provider.know('ann', { email: 'ann@corp.test', email_verified: true })
      expect(await (await signIn(docent, 'ann')).browser.account()).toMatchObject({
        email: 'ann@corp.test',
        role: 'owner',
      })
      expect(await (await signIn(docent, 'ann')).browser.account()).toMatchObject({ email: 'ann@corp.test' })

      const bob = (groups: string[]) => provider.know('bob', { email: 'bob@corp.test', email_verified: true, groups })
      bob(['readers'])
      const { browser } = await signIn(docent, 'bob')
      expect(await browser.account()).toMatchObject({ email: 'bob@corp.test', role: 'viewer' })
      bob(['readers', 'writers'])
      await signIn(docent, 'bob')
      expect(await browser.account()).toMatchObject({ role: 'editor' })
      bob([])
      expect((await signIn(docent, 'bob')).status).toBe(403)
      expect(await browser.account()).toBe(null)

      provider.stop()
      const away = await openBrowser(() => docent).send(`/oidc/real/start`)
      // Its metadata is known still, so the browser is sent there; the end of a sign-in says that it is away.
      expect([303, 422]).toContain(away.status)
      const given = { email: 'ann@corp.test', password: 'correct horse battery' }
      expect((await docent.request('POST', '/api/sessions', given, { key: null })).status).toBe(200)
    },
  )
})
