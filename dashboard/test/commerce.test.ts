import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changePlan, createAccount } from '../../server/src/auth/accounts.ts'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { type Receiver, isGenuine, startReceiver } from '../../server/test/support/sites/receiver.ts'
import { inspect } from './inspect.ts'
import { type Dashboard, PASSWORD, claim, openDashboard, testLong } from './open-dashboard.ts'

const program = installedBrowser()
const BUYER = 'buyer@example.org'
const NOWHERE = 'http://127.0.0.1:19151/'

describe.skipIf(program === null)('plan and webhooks in the dashboard', () => {
  let dashboard: Dashboard
  let receiver: Receiver
  /** The operator's page, and that of an account on the free plan. */
  let operator: Page
  let buyer: Page
  let serverId: string
  const url = (path: string) => dashboard.docent.url + path

  beforeAll(async () => {
    receiver = await startReceiver()
    dashboard = await openDashboard(program ?? '')
    operator = dashboard.page
    await claim(dashboard)
    await dashboard.docent.inStore((store) => createAccount(store, { email: BUYER, password: PASSWORD, plan: 'free' }))
    const context = await dashboard.context.browser()?.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
    if (!context) throw new Error('There is no browser')
    buyer = await context.newPage()
    buyer.setDefaultTimeout(60_000)
  })
  afterAll(() => disposeAll(dashboard, receiver))

  test('leads from the link of a limit error over the sign-in to the form for sources', async () => {
    const key = await dashboard.docent.makeKey(BUYER)
    await dashboard.docent.inStore((store) => changePlan(store, { email: BUYER, plan: 'free' }))
    const ask = (path: string, body: object) => dashboard.docent.request('POST', path, body, { key })
    for (const name of ['First', 'Second']) {
      serverId = (await ask('/api/mcp/create', { name, sources: [{ url: NOWHERE }] })).body.serverId
    }
    await ask(`/api/mcp/${serverId}/sources`, { url: `${NOWHERE}1` })
    const refused = await ask(`/api/mcp/${serverId}/sources`, { url: `${NOWHERE}2` })
    expect(refused).toMatchObject({ status: 402, body: { error: 'source_limit_reached' } })

    await buyer.goto(refused.body.purchaseUrl)
    await buyer.getByLabel('Email address').fill(BUYER)
    await buyer.getByLabel('Password').fill(PASSWORD)
    await buyer.getByRole('button', { name: 'Sign in' }).click()
    await buyer.getByRole('heading', { name: 'Plan and limits' }).waitFor()
    expect(buyer.url()).toBe(refused.body.purchaseUrl)
    expect(await buyer.locator('#sources').getByRole('combobox').inputValue()).toBe('Second')
    await buyer.getByRole('row', { name: /Sources of Second 2 2/ }).waitFor()
    await buyer.getByRole('row', { name: /Sources of First 1 5 never the trial/ }).waitFor()
    await buyer.getByRole('row', { name: 'Requests to create a server 10 in an hour' }).waitFor()
    await inspect(buyer, 'plan-free')
    const share = buyer.getByLabel('Percent of the monthly requests for callers with a token')
    await share.fill('40')
    await buyer.getByRole('button', { name: 'Save the limits' }).click()
    await buyer.getByText('0 of 30 are used by others this month.').waitFor()
    expect(await share.inputValue()).toBe('40')
    await share.fill('101')
    await buyer.getByRole('button', { name: 'Save the limits' }).click()
    await buyer.getByRole('alert').getByText('reservedPercent').waitFor()
    await share.fill('0')
    await buyer.getByRole('button', { name: 'Save the limits' }).click()
    await buyer.getByText('0 of 50 are used by others this month.').waitFor()
  })

  test('orders sources with their price, and another plan', async () => {
    await buyer.getByLabel('Number of sources').fill('101')
    expect(await buyer.getByRole('button', { name: 'Order sources' }).isDisabled()).toBe(true)
    await buyer.getByLabel('Number of sources').fill('2')
    await buyer.getByLabel('Message to the operator').first().fill('For the handbook')
    await buyer.getByRole('button', { name: 'Order 2 sources for US$6' }).click()
    await buyer.getByText('You ordered 2 sources for US$6.').waitFor()
    await buyer.getByRole('row', { name: /2 sources for Second US\$6 Open/ }).waitFor()
    await buyer.getByRole('button', { name: 'Order the plan core' }).click()
    await buyer.getByRole('row', { name: /the plan core agreed with the operator Open/ }).waitFor()
    await buyer.getByRole('button', { name: 'Order the plan core' }).click()
    await buyer.getByText('There is an open order of a plan already.').waitFor()
    await inspect(buyer, 'plan-requested')
  })

  test('lets the operator grant one order and refuse another with a reason', async () => {
    await operator.goto(url('/servers'))
    await operator.getByRole('link', { name: '2 open orders' }).click()
    const sources = operator.getByRole('row', { name: /2 sources for Second/ })
    await sources.getByText('For the handbook').waitFor()
    await inspect(operator, 'plan-operator')
    await sources.getByRole('button', { name: 'Grant' }).click()
    await sources.waitFor({ state: 'detached' })
    await operator
      .getByRole('row', { name: /the plan core/ })
      .getByRole('button', { name: 'Refuse' })
      .click()
    await operator.getByLabel('Reason').fill('Pay the last invoice first.')
    await inspect(operator, 'plan-refuse')
    await operator.getByRole('button', { name: 'Refuse the order' }).click()
    await operator.getByText('No order is open.').waitFor()
    await operator.getByLabel('Orders to show').selectOption('all')
    await operator.getByRole('row', { name: /2 sources for Second.* Granted/ }).waitFor()
    expect(operator.url()).toContain('orders=all')

    await buyer.reload()
    await buyer.getByRole('row', { name: /Sources of Second 2 4 never the plan free and 2 bought sources/ }).waitFor()
    await buyer.getByText('Pay the last invoice first.').waitFor()
  })

  testLong('withdraws an order after a confirmation', async () => {
    await buyer.getByRole('button', { name: 'Order the plan core' }).click()
    const row = buyer.getByRole('row', { name: /the plan core agreed with the operator Open/ })
    await row.getByRole('button', { name: 'Withdraw' }).click()
    await buyer.locator('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await buyer.getByRole('row', { name: /the plan core .* Withdrawn/ }).waitFor()
  })

  test('makes a webhook whose secret is shown once, and tests it', async () => {
    await buyer.goto(url('/webhooks'))
    await buyer.getByText('There is no webhook yet.').waitFor()
    await inspect(buyer, 'webhooks-empty')
    await buyer.getByLabel('Address').fill('http://10.0.0.1/')
    await buyer.getByRole('button', { name: 'Make a webhook' }).click()
    await buyer.getByText('private or internal network address').waitFor()
    await buyer.getByLabel('Address').fill(receiver.url)
    await buyer.getByLabel('Name').fill('Chat')
    await buyer.getByRole('button', { name: 'Make a webhook' }).click()
    const secret = await buyer.locator('.secret code').innerText()
    await inspect(buyer, 'webhooks')
    await buyer.getByRole('button', { name: 'I have it' }).click()
    expect(await buyer.getByText(secret).count()).toBe(0)

    await buyer.getByRole('button', { name: 'Send a test' }).click()
    await buyer.getByText('The test came through: 204').waitFor()
    const [event] = await receiver.until(1)
    expect(event && isGenuine(event, secret)).toBe(true)
    receiver.answer = 500
    await buyer.getByRole('button', { name: 'Send a test' }).click()
    await buyer.getByText('The receiver answered 500.').first().waitFor()
    await buyer.getByRole('button', { name: 'Show the log' }).click()
    await buyer.getByRole('row', { name: /webhook\.test.*Failed/ }).waitFor()
    await buyer.getByRole('row', { name: /webhook\.test.*Delivered/ }).waitFor()
    await inspect(buyer, 'webhooks-log')
    receiver.answer = 204
    const failed = buyer.getByRole('row', { name: /webhook\.test.*Failed/ })
    await failed.getByRole('button', { name: 'Send again' }).click()
    await buyer.getByRole('row', { name: /webhook\.test.*Delivered.*2 attempts/ }).waitFor()
    expect(await failed.count()).toBe(0)
    // The result of the test before is gone as well.
    expect(await buyer.getByText('The receiver answered 500.').count()).toBe(0)
  })

  testLong('rotates the secret of a webhook and keeps signing with the old one too', async () => {
    await buyer.getByRole('button', { name: 'Replace the secret' }).click()
    const dialog = buyer.locator('dialog')
    await dialog.getByLabel('The old secret also signs').selectOption('for a week')
    await inspect(buyer, 'webhooks-rotate')
    await dialog.getByRole('button', { name: 'Make a new secret' }).click()
    const secret = await buyer.locator('.secret code').innerText()
    await buyer.getByText('The old secret also signs until').waitFor()
    await inspect(buyer, 'webhooks-new-secret')
    await buyer.getByRole('button', { name: 'I have it' }).click()
    const sent = receiver.received.length
    await buyer.getByRole('button', { name: 'Send a test' }).click()
    const event = (await receiver.until(sent + 1))[sent]
    expect(event && isGenuine(event, secret)).toBe(true)
    expect(String(event?.headers['webhook-signature']).split(' ')).toHaveLength(2)
  })

  testLong('changes the name and the events of a webhook', async () => {
    await buyer.getByRole('button', { name: 'Change' }).click()
    const dialog = buyer.locator('dialog')
    expect(await dialog.getByLabel('Address').inputValue()).toBe(receiver.url)
    await dialog.getByLabel('Name').fill('Pager')
    await dialog.getByRole('checkbox', { name: /limit\.reached/ }).uncheck()
    await inspect(buyer, 'webhooks-change')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await buyer.getByRole('heading', { name: 'Pager' }).waitFor()
    await buyer.getByText('server.failed', { exact: true }).first().waitFor()
  })

  testLong('switches a webhook off and on, and deletes it after a confirmation', async () => {
    await buyer.getByRole('button', { name: 'Switch off' }).click()
    await buyer.getByRole('button', { name: 'Switch on' }).click()
    await buyer.getByRole('button', { name: 'Switch off' }).waitFor()
    await buyer.getByRole('button', { name: 'Delete' }).click()
    await buyer.locator('dialog').getByRole('button', { name: 'Delete' }).click()
    await buyer.getByText('There is no webhook yet.').waitFor()
  })

  testLong('does not say that a trial has ended while its plan includes everything', async () => {
    await dashboard.docent.inStore((store) => changePlan(store, { email: BUYER, plan: 'unlimited' }))
    await buyer.goto(url('/plan'))
    await buyer.getByText('The plan has everything of the trial.').waitFor()
    expect(await buyer.getByText(/trial ended/).count()).toBe(0)
  })

  test('logs nothing to the browser console and requests nothing from other hosts', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
