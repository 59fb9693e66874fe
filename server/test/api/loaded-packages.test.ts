import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { SERVICE_FLAGS } from '../../../scripts/launch/service-flags.mjs'
import { spawnService } from '../support/service/service-process.ts'

const MAIN = join(import.meta.dirname, '../../../cli/src/main.ts')

/** Writes the name of each package that a process and its threads load to a file. */
const HOOK = `
import { registerHooks } from 'node:module'
import { appendFileSync } from 'node:fs'
registerHooks({ resolve(specifier, context, next) {
  const found = next(specifier, context)
  const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(found.url)?.[1]
  if (name) appendFileSync(process.env.LOADED, name + '\\n')
  return found
} })`

// It runs the sources, because the bundle has no packages any more.
test.runIf(inject('isLong'))('a service on SQLite loads no client of PostgreSQL, S3, metrics or traces', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'docent-loaded-'))
  const [hook, LOADED] = [join(folder.path, 'hook.mjs'), join(folder.path, 'loaded')]
  writeFileSync(hook, HOOK)
  await using service = await spawnService({ DOCENT_DATA_DIR: join(folder.path, 'data'), LOADED }, () => {}, [
    ...SERVICE_FLAGS,
    '--import',
    hook,
    MAIN,
  ])
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  const loaded = new Set(readFileSync(LOADED, 'utf8').trim().split('\n'))
  expect([...loaded]).toEqual(expect.arrayContaining(['kysely', 'hono', 'zod']))
  const others = /^(?:pg|undici|prom-client|@(?:aws-sdk|smithy|opentelemetry|modelcontextprotocol)\/.*)$/
  expect([...loaded].filter((name) => others.test(name))).toEqual([])
})
