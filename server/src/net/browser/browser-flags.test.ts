import { expect, test } from 'vitest'
import { browserFlags } from './browser-flags.ts'

const flags = (sandbox: boolean) => browserFlags({ profile: '/tmp/p', userAgent: 'Test', sandbox })

test('the browser is started with its sandbox, and without it only where that is asked for', () => {
  expect(flags(true).filter((flag) => /sandbox/.test(flag))).toEqual([])
  expect(flags(false).filter((flag) => /sandbox/.test(flag))).toEqual(['--no-sandbox'])
})
