#!/usr/bin/env node
// The `docent` command, as any Node can read it. In a checkout, it equals `npm run docent --` from any folder. In a
// package, it runs the bundle.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isRecent, neededVersion } from './launch/node-version.mjs'

const script = fileURLToPath(import.meta.url)
if (existsSync(new URL('launch.mjs', import.meta.url))) {
  process.env['INIT_CWD'] = process.cwd()
  process.argv.splice(2, 0, 'docent')
  await import('./launch.mjs')
} else if (isRecent(process.versions.node)) {
  await import('./launch/package.mjs')
} else {
  const command = ['npx', '--yes', `node@${neededVersion.split('.')[0]}`, script, ...process.argv.slice(2)].join(' ')
  process.stderr.write(
    `docent: Docent needs Node ${neededVersion} or newer, and this is ${process.versions.node}. Install it, or run: ${command}\n`,
  )
  process.exitCode = 1
}
