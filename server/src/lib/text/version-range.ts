import { compareVersions, isOfLine, parseVersion, type Version } from './version.ts'

export type VersionRange = (version: Version) => boolean

const PART = /^(>=|<=|>|<|=|\^|~>?)?\s*(v?\d[\w.*-]*)$/i

/**
 * Parses a version range of a package manager: `>=2.0 <3`, `^1.2`, `~1.4`, `1.2 - 1.5`, `2.x`, `1 || 2`. Null if
 * invalid. An upper bound excludes its own pre-releases: `<3` does not contain `3.0.0-rc.1`.
 */
export function parseRange(text: string): VersionRange | null {
  const choices = text.split(/\|\||,\s*or\s/).map(readAll)
  return choices.every((choice) => choice !== null) ? (version) => choices.some((choice) => choice(version)) : null
}

function readAll(text: string): VersionRange | null {
  const hyphen = /^\s*(\S+)\s+(?:-|to|\.\.)\s+(\S+)\s*$/.exec(text)
  const parts = hyphen
    ? [`>=${hyphen[1]}`, `<=${hyphen[2]}`]
    : text.replaceAll(/(>=|<=|>|<|=|\^|~>?)\s+/g, '$1').split(/[\s,]+/)
  const tests = parts.filter(Boolean).map(readOne)
  if (tests.length === 0 || !tests.every((test) => test !== null)) return null
  return (version) => tests.every((test) => test(version))
}

function readOne(part: string): VersionRange | null {
  const [, operator = '', text = ''] = PART.exec(part) ?? []
  const bound = parseVersion(text)
  if (bound === null) return null
  if (operator === '>=') return (version) => compareVersions(version, bound) >= 0
  if (operator === '>') return (version) => compareVersions(version, bound) > 0 && !isOfLine(version, bound)
  if (operator === '<=') return (version) => compareVersions(version, bound) <= 0 || isOfLine(version, bound)
  if (operator === '<') return (version) => isBelow(version, bound)
  if (operator === '') return (version) => isOfLine(version, bound)
  if (operator === '=') return (version) => isOfLine(version, bound)
  const next = operator === '^' ? nextBreaking(bound) : nextMinor(bound)
  return (version) => compareVersions(version, bound) >= 0 && isBelow(version, next)
}

function isBelow(version: Version, bound: Version): boolean {
  return compareVersions({ ...version, pre: bound.pre === null ? null : version.pre }, bound) < 0
}

function nextBreaking({ numbers }: Version): Version {
  const at = Math.max(
    0,
    numbers.findIndex((number) => number > 0),
  )
  return bumped(numbers, at)
}

function nextMinor({ numbers }: Version): Version {
  return bumped(numbers, Math.min(1, numbers.length - 1))
}

function bumped(numbers: number[], at: number): Version {
  const next = numbers.map((number, index) => (index < at ? number : index === at ? number + 1 : 0))
  return { text: next.join('.'), numbers: next, pre: null }
}
