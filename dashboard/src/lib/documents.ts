/** Documents beside `docs/` that the service serves, and pages that are screens here. */
const ADDRESSES: Readonly<Record<string, string>> = {
  '../README.md': '/docs/getting-started',
  '../SECURITY.md': '/docs/security',
  '../CHANGELOG.md': '/docs/changelog',
  'README.md': '/docs',
  'api.md': '/reference',
  'openapi.json': '/openapi.json',
}
/** Documents with links from the top of the project. */
const AT_TOP = new Set(['getting-started', 'security', 'changelog'])

const LINK = /\]\(([^()\s]{1,300})\)/g

/**
 * The Markdown of a document with links to addresses of this service. Links to files that the service does not have
 * become text.
 */
export function withOwnAddresses(markdown: string, name: string): string {
  let fence: string | null = null
  const lines = markdown.split('\n').map((line) => {
    const [, marks] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (marks !== undefined) fence = fence === null ? marks : line.trim() === fence ? null : fence
    return fence === null && marks === undefined ? line.replaceAll(LINK, (_, to: string) => rewritten(to, name)) : line
  })
  return lines.join('\n')
}

function rewritten(to: string, name: string): string {
  const [path = '', anchor = ''] = to.split('#')
  if (/^[a-z]+:/.test(path)) return `](${to})`
  const address = addressOf(AT_TOP.has(name) ? fromTop(path) : path, name)
  return address === null ? '](#)' : `](${location.origin}${address}${anchor === '' ? '' : `#${anchor}`})`
}

/** The path as in `docs/`. */
const fromTop = (path: string): string => (path === '' ? '' : path.startsWith('docs/') ? path.slice(5) : `../${path}`)

function addressOf(path: string, name: string): string | null {
  if (path === '') return name === '' ? '/docs' : `/docs/${name}`
  const [, document] = /^([\w-]+)\.md$/.exec(path) ?? []
  return ADDRESSES[path] ?? (document === undefined ? null : `/docs/${document.toLowerCase()}`)
}

/** The anchor of a heading, as in the links between documents. */
export const slugOfHeading = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
