/** How a site made with Docsify is set up: it has no pages, but Markdown files that its script shows. */
export type Docsify = {
  /** The folder of its files, absolute, with a slash at the end. */
  home: string
  /** The file that is shown first. */
  homepage: string
  /** Links lead on from the file that they stand in, not from the home. */
  isRelative: boolean
}

const SETTINGS = /\$docsify\s*=/
const MOST_TEXT = 256 << 10

/** The settings in the page of a site made with Docsify; null for any other page, and where the files are elsewhere. */
export function docsifyOf(html: string, shell: string): Docsify | null {
  const text = html.slice(0, MOST_TEXT)
  if (!SETTINGS.test(text)) return null
  const setting = (name: string) => new RegExp(`\\b${name}\\s*:\\s*['"\`]([^'"\`\\n]+)['"\`]`).exec(text)?.[1]
  const base = URL.parse(setting('basePath') ?? '.', shell)
  if (base === null || base.origin !== new URL(shell).origin) return null
  const homepage = setting('homepage') ?? 'README.md'
  const home = base.href.replace(/[?#].*/s, '').replace(/(?<!\/)\/*$/, '/')
  return { home, homepage, isRelative: /\brelativePath\s*:\s*true\b/.test(text) }
}

/** The file that is shown at a route: `#/guide/` is `guide/README.md`. Null for what is in none of the site's folders. */
export function fileOf({ home, homepage }: Docsify, route: string): string | null {
  const path = route.replace(/^#!?\//, '').replace(/\?.*/s, '')
  const name =
    path === '' ? homepage : path.endsWith('/') ? `${path}README.md` : /\.md$/i.test(path) ? path : `${path}.md`
  const file = URL.parse(`./${name}`, home)
  return file !== null && file.href.startsWith(home) ? file.href : null
}

/** The address of the page that a link leads to, of a file or of a route; any other link as it is. */
export function routeTo({ home }: Docsify, link: string, shell: string): string {
  const url = URL.parse(link)
  if (url === null) return link
  const base = shell.replace(/#.*/s, '')
  url.search = ''
  if (url.hash !== '' && (url.href.startsWith(`${base}#`) || url.href.startsWith(`${home}#`))) return base + url.hash
  url.hash = ''
  if (!url.href.startsWith(home)) return link
  const path = url.href.slice(home.length)
  if (/\.(?!md$)\w{1,5}$/i.test(path)) return link
  const route = path.replace(/\.md$/i, '').replace(/(^|\/)README$/, '$1')
  return route === '' ? base : `${base}#/${route}`
}
