import { isOfLine, parseVersion } from '#lib/version.ts'

/** A part of an address that is a version: bare whole numbers are pages, chapters and years more often. */
const NUMBERED = /^(?:v\d[\w.-]*|\d+\.[\dxX*][\w.-]*|\d+\.?x|\d{4}-\d{2}-\d{2})$/
const NAMED = /^(?:latest|stable|current|next|canary|nightly|edge|main|master|dev|devel|trunk)$/i
const CURRENT = /^(?:latest|stable|current)$/i

/** The version that a page's address says it is for, in lower case, or null. */
export function versionInUrl(url: string): string | null {
  const from = url.indexOf('//') + 2
  const parts = url.slice(from).split(/[?#]/, 1)[0]?.split('/') ?? []
  const label = parts[0]?.split('.', 1)[0] ?? ''
  if (/^v\d+$/.test(label)) return label
  for (const part of parts.slice(1)) {
    if (NAMED.test(part) || (NUMBERED.test(part) && parseVersion(plain(part)) !== null)) return part.toLowerCase()
  }
  return null
}

/**
 * Whether pages with `version` in their address (null: with none) are of the version that is asked for. `2` and `2.x`
 * have all of their line, and `2.1.4` is in what is for `2.1`. The latest is also what names no version.
 */
export function isOfVersion(version: string | null, asked: string): boolean {
  const wanted = asked.trim().toLowerCase()
  if (CURRENT.test(wanted)) return version === null || CURRENT.test(version)
  if (version === null) return false
  if (version === wanted) return true
  const [given, want] = [parseVersion(plain(version)), parseVersion(plain(wanted))]
  return given !== null && want !== null && (isOfLine(given, want) || isOfLine(want, given))
}

/** `5x` and `5.x` are written for the line of 5. */
function plain(version: string): string {
  return version.replace(/\.?x$/i, '')
}
