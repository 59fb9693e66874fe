/**
 * Finds regular expressions that take more than linear time on some text: a single one lets one page block the service.
 * Exits with 1 if there are any. Part of `npm run verify`.
 */
import { join } from 'node:path'
import { ALLOWED } from './regex/allowed-regexes.ts'
import { findSlowRegexes } from './regex/find-slow-regexes.ts'
import { readRegexes } from './regex/read-regexes.ts'

const slow = findSlowRegexes(readRegexes(join(import.meta.dirname, '..')), ALLOWED)
for (const line of slow) process.stdout.write(`${line}\n`)
process.exitCode = slow.length > 0 ? 1 : 0
