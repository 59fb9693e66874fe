// Prints the section of a version in CHANGELOG.md: `node scripts/release-notes.mjs v0.2.0`. Fails if there is none, or
// if package.json names another version.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const version = (process.argv[2] ?? '').replace(/^v/, '')
/** @type {{version: string}} */
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m)
const section = sections.find((text) => text.startsWith(`[${version}]`))
if (manifest.version !== version) fail(`package.json has version ${manifest.version}, and not ${version}.`)
else if (!section) fail(`CHANGELOG.md has no section [${version}].`)
else process.stdout.write(`${section.split('\n').slice(1).join('\n').trim()}\n`)

/** @param {string} message */
function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
