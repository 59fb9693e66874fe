import { expect, test } from 'vitest'
import { managementTools } from '#http/account/account-tools.ts'
import { accountPage } from './account-page.ts'

test('keeps docs/account-endpoint.md up to date (update it with: npm test -- account-page --update)', async () => {
  const page = accountPage()
  await expect(page).toMatchFileSnapshot('../../../../docs/account-endpoint.md')
  for (const { listed } of managementTools()) expect(page).toContain(`### ${listed.name}\n`)
})
