import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startDocent } from '../support/service/harness.ts'
import { runProgram } from '../support/lib/run-program.ts'
import { page, startSite } from '../support/sites/site.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('runs the examples of the client in their order', async () => {
  await using site = await startSite({ '/': page('Widgets', 'Oil every sprocket twice a year.') })
  await using docent = await startDocent()
  const env = { PATH: process.env['PATH'], DOCENT_URL: docent.url, DOCENT_API_KEY: docent.key }
  const run = async (example: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runProgram(join(ROOT, 'sdk/examples', example), args, { env })
    expect({ example, code, stderr: code === 0 ? '' : stderr }).toEqual({ example, code: 0, stderr: '' })
    return { stdout: stdout.trim(), stderr }
  }
  const made = await run('create-server.ts', `${site.url}/`)
  expect(made.stdout).toBe(`${docent.url}/api/mcp/my-docs`)
  expect(made.stderr).toContain('1 pages are indexed.')
  const known = await run('handle-refusals.ts', 'my-docs', `${site.url}/`)
  expect(known.stdout).toBe('The server has this source already.')
  expect((await run('handle-refusals.ts', 'nobody', `${site.url}/`)).stdout).toBe('404: Server not found')
  const sent = await run('upload-file.ts', 'my-docs', join(ROOT, 'README.md'))
  expect(sent.stdout).toMatch(/^The source src_\w+ is upload:\/\/manual\/\.$/m)
  expect(sent.stdout).toContain(`${site.url}/`)
})

test('shows the examples in docs/client.md as they are', async () => {
  const text = await readFile(join(ROOT, 'docs/client.md'), 'utf8')
  for (const name of ['create-server.ts', 'handle-refusals.ts', 'upload-file.ts']) {
    const example = await readFile(join(ROOT, 'sdk/examples', name), 'utf8')
    expect(text).toContain(`\`\`\`ts\n${example}\`\`\``)
  }
})
