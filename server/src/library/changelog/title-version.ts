import { parseVersion, type Version } from '#lib/text/version.ts'

const TOKEN =
  /(?<![\w./-])v?\d{1,4}(?:\.\d+(?!\d))*(?:\.x)?(?:-(?:alpha|beta|rc)[\w.]*(?![\w.]))?(?![\w-]*\d{4})(?!\.?\w)/gi

/**
 * The version that a title is about, or null: `Widgets 5.1 is out!`, `Upgrade to v3`, `Express@5.1.0: …`. Prefers the
 * target of an upgrade. If only the origin is named, returns the next major version.
 */
export function titleVersion(given: string): Version | null {
  // Section of a manual page: `cvs-migration(7)`.
  const withoutSection = given.replaceAll(/(?<=\w)\(\d[a-z]?\)/gi, '')
  // Chapter number: `3. Upgrade guide`.
  const title = withoutSection.replace(/^\d{1,2}[.)] +(?=\D)/, '')
  const to = /\bto\s+(?:[\w.]+\s+){0,2}?(v?\d[\w.]*)/i.exec(title)
  const target = to ? parseVersion(to[1] ?? '') : null
  if (target) return target
  const from = /\bfrom\s+(?:[\w.]+\s+){0,2}?(v?\d[\w.]*)/i.exec(title)
  const source = from ? parseVersion(from[1] ?? '') : null
  if (source) {
    const [major = 0] = source.numbers
    return { text: String(major + 1), numbers: [major + 1], pre: null }
  }
  const at = /@(\d+\.\d[\w.-]*?)(?=[:,;\s]|$)/.exec(title)
  if (at) return parseVersion(at[1] ?? '')
  const tokens = [...title.matchAll(TOKEN)].map(([token]) => token.replace(/\.x$/i, ''))
  // Years are not versions.
  const versions = tokens
    .filter((token) => !/^(?:19|20)\d{2}$/.test(token))
    .flatMap((token) => parseVersion(token) ?? [])
  const version = versions.find(({ numbers }) => numbers.length > 1) ?? versions[0] ?? null
  const stage =
    version?.pre === null ? /\d\s+(alpha|beta|rc|preview|canary)\b/i.exec(title)?.[1]?.toLowerCase() : undefined
  return version && stage !== undefined ? { ...version, text: `${version.text}-${stage}`, pre: [stage] } : version
}
