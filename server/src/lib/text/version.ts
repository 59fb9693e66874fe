/** A project version, dotted numbers or a date, in the order of Semantic Versioning 2.0.0, section 11. */
export type Version = {
  /** The version as written, without `v` and any text before it. */
  text: string
  numbers: number[]
  /** Pre-release identifiers, or null for a release. */
  pre: (string | number)[] | null
}

const NUMBERS = /^(\d{1,9}(?:\.\d{1,9}){0,4})(?:\.[xX*])?/
const PRE = /^[-._]?((?:alpha|beta|rc|pre|preview|dev|next|canary|nightly|snapshot|a|b|m)(?![a-z])[-.\d\w]*)/i
const DATE = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/

/** Parses a version with or without `v`, or returns null. Ignores build metadata (`+…`). */
export function parseVersion(given: string): Version | null {
  const text = given.trim().replace(/^v(?:er(?:sion)?)?[. ]*(?=\d)/i, '')
  const date = DATE.exec(text)
  if (date) return { text: date[0], numbers: date.slice(1).map(Number), pre: preOf(text.slice(10)) }
  const numbers = NUMBERS.exec(text)
  if (!numbers) return null
  const rest = text.slice(numbers[0].length).replace(/\+[\w.-]*$/, '')
  const pre = preOf(rest) ?? semverPre(rest)
  if (rest !== '' && pre === null) return null
  return { text: text.replace(/\+[\w.-]*$/, ''), numbers: (numbers[1] ?? '').split('.').map(Number), pre }
}

function semverPre(rest: string): Version['pre'] {
  return /^-[\da-z-]+(?:\.[\da-z-]+)*$/i.test(rest) ? identifiers(rest.slice(1)) : null
}

function preOf(rest: string): Version['pre'] {
  const found = PRE.exec(rest)
  return found && found[0].length === rest.length ? identifiers(found[1] ?? '') : null
}

/** `rc1` equals `rc.1`. */
function identifiers(pre: string): (string | number)[] {
  const parts = pre.toLowerCase().match(/\d+|[a-z]+/g) ?? []
  return parts.map((part) => (/^\d/.test(part) ? Number(part) : part))
}

/** Negative if `a` precedes `b`. A pre-release precedes its release. */
export function compareVersions(a: Version, b: Version): number {
  for (let index = 0; index < Math.max(a.numbers.length, b.numbers.length); index++) {
    const difference = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  if (a.pre === null || b.pre === null) return (a.pre === null ? 1 : 0) - (b.pre === null ? 1 : 0)
  for (let index = 0; index < Math.max(a.pre.length, b.pre.length); index++) {
    const difference = compareIdentifiers(a.pre[index], b.pre[index])
    if (difference !== 0) return difference
  }
  return 0
}

const NEWEST = /^newest:(\d{1,2})$/
/** What may stand before the number of a tag. */
const LABEL = /^(?:release|rel|version|ver)[-_/]?(?=v?\d)/i

/** The number of newest versions that `newest:3` asks for. Null for the name of a version. */
export const newestAsked = (asked: string): number | null => Number(NEWEST.exec(asked)?.[1] ?? 0) || null

/** The newest release of each of the newest `most` lines (`1.2`), without pre-releases. Other names are ignored. */
export function newestReleases(names: Iterable<string>, most: number): string[] {
  const releases = [...names].flatMap((name) => {
    const version = parseVersion(name.replace(LABEL, ''))
    return version?.pre === null ? { name, version } : []
  })
  const newest = new Map<string, string>()
  for (const { name, version } of releases.sort((a, b) => compareVersions(b.version, a.version))) {
    const line = `${version.numbers[0] ?? 0}.${version.numbers[1] ?? 0}`
    if (newest.size === most && !newest.has(line)) break
    if (!newest.has(line)) newest.set(line, name)
  }
  return [...newest.values()]
}

function compareIdentifiers(a: string | number | undefined, b: string | number | undefined): number {
  if (a === undefined || b === undefined) return (a === undefined ? 0 : 1) - (b === undefined ? 0 : 1)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

/** True if `version` equals `asked`, or belongs to its line (`2`, `2.1`). Pre-releases count. */
export function isOfLine(version: Version, asked: Version): boolean {
  if (asked.pre !== null) return compareVersions(version, asked) === 0
  if (version.pre !== null && asked.numbers.length >= version.numbers.length && asked.numbers.length > 2) return false
  return asked.numbers.every((number, index) => (version.numbers[index] ?? 0) === number)
}

export type VersionRange = (version: Version) => boolean

const PART = /^(>=|<=|>|<|=|\^|~>?)?\s*(v?\d[\w.*-]*)$/i

/** Parses `>=2.0 <3`, `^1.2`, `1.2 - 1.5`, `2.x`, `1 || 2`. Null if invalid. `<3` excludes `3.0.0-rc.1`. */
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
  if (operator === '' || operator === '=') return (version) => isOfLine(version, bound)
  const next = nextExcluded(bound, operator)
  return (version) => compareVersions(version, bound) >= 0 && isBelow(version, next)
}

function isBelow(version: Version, bound: Version): boolean {
  return compareVersions({ ...version, pre: bound.pre === null ? null : version.pre }, bound) < 0
}

/** The next version that `^` or `~` excludes. */
function nextExcluded({ numbers }: Version, operator: string): Version {
  const breaking = numbers.findIndex((number) => number > 0)
  const at = operator === '^' ? Math.max(0, breaking) : Math.min(1, numbers.length - 1)
  const next = numbers.map((number, index) => (index < at ? number : index === at ? number + 1 : 0))
  return { text: next.join('.'), numbers: next, pre: null }
}
