import { execFile } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Report } from './hosted-clients/run.ts'
import { inside, unshareCommand } from './ssrf/inside.ts'

const run = promisify(execFile)
const unshare = await unshareCommand()
const hasOpenssl = await run('openssl', ['version']).then(
  () => true,
  () => false,
)
if (!hasOpenssl) process.stderr.write('\nSKIPPED: no openssl here, which makes the certificate of the test.\n\n')

const REQUEST = 'req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=test -addext'

test.skipIf(unshare === null || !hasOpenssl)(
  'connects hosted clients by their metadata documents, over TLS and through the guard as it is',
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'docent-hosted-'))
    await run('openssl', [...REQUEST.split(' '), 'subjectAltName=DNS:claude.ai,DNS:chatgpt.com'], { cwd: folder.path })
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder.path, 'cert.pem') }
    const script = join(import.meta.dirname, 'hosted-clients/run.ts')
    const report = (await inside(unshare, script, [folder.path], env)) as Report
    const works = { resource: true, tools: true, refreshes: true }
    expect(report.connected).toEqual({
      'https://claude.ai/oauth/mcp-oauth-client-metadata': {
        ...works,
        shows: 'claude.ai',
        returnsTo: 'https://claude.ai/api/mcp/auth_callback',
      },
      'https://chatgpt.com/oauth/conn_6741b0e5/client.json': {
        ...works,
        shows: 'chatgpt.com',
        returnsTo: 'https://chatgpt.com/connector/oauth/conn_6741b0e5',
      },
      'https://chatgpt.com/oauth/codex/client.json': {
        ...works,
        shows: 'chatgpt.com',
        returnsTo: 'http://127.0.0.1:41234/callback',
      },
      'https://claude.ai/oauth/claude-code-client-metadata': {
        ...works,
        shows: 'claude.ai',
        returnsTo: 'http://localhost:41234/callback',
      },
      'https://claude.ai/fits': { ...works, shows: 'claude.ai', returnsTo: 'https://claude.ai/api/mcp/auth_callback' },
    })
    const refused = expect.stringContaining('private or internal network')
    expect(report.refused).toEqual({
      'https://claude.ai/other': expect.stringContaining('another `client_id`'),
      'https://claude.ai/large': expect.stringContaining('larger than 32,768 bytes'),
      'https://claude.ai/moved': expect.stringContaining('status 302'),
      'https://claude.ai/slow': expect.stringContaining('longer than 5 s'),
      'https://claude.ai/missing': expect.stringContaining('status 404'),
      'https://untrusted.public.test/client.json': expect.stringContaining('certificate'),
      'https://loopback.test/client.json': refused,
      'https://a-10-0-0-1.test/client.json': refused,
      'https://a-169-254-169-254.test/client.json': refused,
      'https://127.0.0.1/client.json': refused,
    })
    // Each document is kept, and no forbidden address was asked.
    expect(report.fetched).toEqual([...new Set(report.fetched)])
    expect(report.fetched.filter((url) => !url.startsWith('https://c'))).toEqual([])
  },
)
