import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openCorpus } from './corpora.ts'
import type { Report } from './ssrf/run.ts'

const run = promisify(execFile)

/** A namespace of its own needs Linux, and root or user namespaces. */
async function unshareCommand(): Promise<string[] | null> {
  for (const flags of [
    ['--net', '--mount'],
    ['--map-root-user', '--net', '--mount'],
  ]) {
    const works = await run('unshare', [...flags, 'sh', '-c', 'ip link set lo up']).then(
      () => true,
      () => false,
    )
    if (works) return flags
  }
  process.stderr.write('\nSKIPPED: no network namespaces here (unshare and iproute2 as root, or user namespaces).\n\n')
  return null
}

const corpus = await openCorpus('ssrf')
const unshare = corpus === null ? null : await unshareCommand()

describe.skipIf(corpus === null || unshare === null)('hostile URLs, in a network where every address answers', () => {
  test(
    'reach no private address by any way, and are recognised; harmless ones work',
    { timeout: 180_000 },
    async () => {
      const { stdout } = await run(
        'unshare',
        [
          ...(unshare ?? []),
          'sh',
          join(import.meta.dirname, 'ssrf/enter.sh'),
          process.execPath,
          join(import.meta.dirname, 'ssrf/run.ts'),
          join(corpus ?? '', 'ssrf-payloads.jsonl'),
        ],
        { maxBuffer: 64 * 1024 * 1024 },
      )
      const report: Report = JSON.parse(stdout)
      expect(report).toEqual({
        hostile: 764,
        forbidden: {},
        brokenControls: [],
        controls: 20,
        unrecognised: [],
        unguarded: 4,
        oddErrors: [],
      })
    },
  )
})
