/** Settings of a Docsify site. Such a site has no pages; its script renders Markdown files. */
export type Docsify = {
  /** Absolute URL of the folder with the files, with a trailing slash. */
  home: string
  /** File name of the start page. */
  homepage: string
  /** True if links are relative to the file that contains them, not to the home folder. */
  isRelative: boolean
}

const SETTINGS = /\$docsify\s*=/
const MOST_TEXT = 256 << 10

/**
 * Reads the settings from the page of a Docsify site. Returns null for any other page, and for a site with files on
 * another origin.
 */
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

/** Maps a route to its file: `#/guide/` to `guide/README.md`. Returns null for a route outside the site's folder. */
export function fileOf({ home, homepage }: Docsify, route: string): string | null {
  const path = route.replace(/^#!?\//, '').replace(/\?.*/s, '')
  const name =
    path === '' ? homepage : path.endsWith('/') ? `${path}README.md` : /\.md$/i.test(path) ? path : `${path}.md`
  const file = URL.parse(`./${name}`, home)
  return file !== null && file.href.startsWith(home) ? file.href : null
}

/** Maps a link to a file or a route to the page URL. Returns any other link unchanged. */
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
