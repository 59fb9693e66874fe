import { describe, expect, test } from 'vitest'
import { startDocent } from '../support/service/harness.ts'

describe('file addresses as sources', () => {
  const ADDRESSES = [
    'upload://docs/',
    'upload://docs/README.md',
    'upload:docs',
    'file:///etc/passwd',
    'file:README.md',
    '/etc/passwd',
    './docs',
  ]

  test.each(ADDRESSES)('refuses %s', async (url) => {
    await using docent = await startDocent()
    const { slug } = (await docent.request('POST', '/api/mcp/create', { name: 'A', uploads: ['docs'] })).body
    await docent.request('POST', `/api/mcp/${slug}/sources/upload?name=docs&file=README.md`, Buffer.from('# Secret'))
    const made = await docent.request('POST', '/api/mcp/create', { name: 'B', sources: [{ url }] })
    expect([made.status, made.body]).toMatchObject([400, { error: 'At least one valid source URL is required' }])
    const added = await docent.request('POST', `/api/mcp/${slug}/sources`, { url })
    expect([added.status, added.body]).toMatchObject([400, { error: 'Valid URL required' }])
    const seen = await docent.request('POST', '/api/sources/detect', { url })
    expect([seen.status, seen.body]).toMatchObject([400, { error: 'Valid URL required' }])
  })

  test('refuses a server without a source or an upload', async () => {
    await using docent = await startDocent()
    for (const more of [{}, { sources: [] }, { sources: [], uploads: [] }]) {
      const { status, body } = await docent.request('POST', '/api/mcp/create', { name: 'A', ...more })
      expect([status, body]).toEqual([400, { error: 'At least 1 source is required' }])
    }
  })
})
