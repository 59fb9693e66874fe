import { spawnSync } from 'node:child_process'
import { differences } from '@docent/server/lib/operating-system.ts'
import { hasShell, wayToIsolate } from '@docent/server/workers/isolation.ts'
import type { Config } from '@docent/server/config.ts'
import { hasSandbox } from '@docent/server/net/browser/chromium.ts'
import { findBrowser } from '@docent/server/net/browser/browser-process.ts'
import { type Finding, ok, problem, sentenceOf, warning } from './finding.ts'

/** The first Node that runs TypeScript without a flag and has a stable SQLite, as in `scripts/launch/runtime.mjs`. */
const OLDEST_NODE = { major: 24, minor: 12 }
/** A browser prints its version within a second, and within several on a loaded machine. */
const BROWSER_MS = 10_000

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const { major: wanted, minor: atLeast } = OLDEST_NODE
  if (major > wanted || (major === wanted && minor >= atLeast)) return ok('Node', version)
  return problem('Node', `This is Node ${version}.`, `Install Node ${wanted}.${atLeast} or newer.`)
}

/** Checks the tools that isolate the child processes in which documents are read. */
export function checkIsolation({ dataDir }: Pick<Config, 'dataDir'>): Finding {
  const check = 'Isolation'
  if (!differences.hasNamespaces)
    return ok(check, ['child processes run with the permissions of Node.', ...differences.missing].join(' '))
  if (!hasShell())
    return warning(check, 'There is no /bin/sh.', 'Install a shell, which starts child processes isolated.')
  const way = wayToIsolate(dataDir)
  const own = 'child processes have their own user and network namespaces'
  if (way === 'full') return ok(check, `${own}, no new privileges, and no data folder`)
  if (way === 'namespaces')
    return ok(check, `${own} and no new privileges; the permissions of Node hide the data folder`)
  if (way === 'network') return warning(check, `There is no setpriv, but ${own}.`, 'Install setpriv (util-linux).')
  return warning(
    check,
    'Child processes cannot have their own namespaces. The permissions of Node still isolate them.',
    'Install unshare (util-linux), and allow user namespaces. Container profiles often forbid them.',
  )
}

export function checkBrowser({ browser, browserWithoutSandbox }: Config): Finding {
  const check = 'Browser'
  let program: string | null
  try {
    program = findBrowser(browser)
  } catch (error) {
    return problem(check, sentenceOf(error), 'Correct DOCENT_BROWSER.')
  }
  if (program === null && browser.wanted === 'off') return ok(check, 'disabled by DOCENT_BROWSER=off')
  if (program === null)
    return warning(
      check,
      'There is no Chromium on PATH. Pages that need JavaScript are left out.',
      'Install Chromium, or set DOCENT_BROWSER to its path, or to "off" to leave such pages out on purpose.',
    )
  if (!hasSandbox() && !browserWithoutSandbox)
    return warning(
      check,
      `${program} is not used, because root has no sandbox for it.`,
      'Run the service as another user, or set DOCENT_BROWSER_WITHOUT_SANDBOX=on.',
    )
  const { status, stdout } = spawnSync(program, ['--version'], {
    encoding: 'utf8',
    timeout: BROWSER_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {},
  })
  if (status !== 0) return problem(check, `${program} cannot be run.`, 'Install it again, or set DOCENT_BROWSER.')
  return ok(check, `${program} (${stdout.trim()})`)
}
