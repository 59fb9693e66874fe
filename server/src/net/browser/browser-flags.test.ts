import { expect, test } from 'vitest'
import { browserFlags } from './browser-process.ts'

const flags = (sandbox: boolean) => browserFlags({ profile: '/tmp/p', userAgent: 'Test', sandbox })

test('starts the browser with its sandbox unless it is disabled', () => {
  expect(flags(true).filter((flag) => /sandbox/.test(flag))).toEqual([])
  expect(flags(false).filter((flag) => /sandbox/.test(flag))).toEqual(['--no-sandbox'])
})
