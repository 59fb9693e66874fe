import { linkedPath, pageName } from './documents.ts'
import type { Rendered } from './render-document.ts'

/** A kind of documents with the pages of it, in the order of `docs/README.md`. */
type Kind = { kind: string; pages: { title: string; name: string }[] }

/** The kinds of documents, from their list. */
export function readKinds(list: string): Kind[] {
  return list
    .split('\n## ')
    .slice(1)
    .map((part) => ({
      kind: part.split('\n')[0] ?? '',
      pages: [...part.matchAll(/\[([^[\]]{1,200})\]\(([^()\s]{1,300})\)/g)].flatMap(([, title = '', link = '']) => {
        const name = pageName(linkedPath('docs/README.md', link))
        return name === null ? [] : [{ title, name }]
      }),
    }))
}

/** The widget on each page: the address of its script, and the id of its configuration. Null without. */
export type Widget = { script: string; configuration: string } | null
/** `isInstance`: a service shows the site beside its dashboard, and adds the widget if a setting names one. */
export type Site = { widget: Widget; isInstance: boolean }

/** The HTML page of a document. */
export function pageOf(
  name: string,
  { title, html }: Rendered,
  kinds: readonly Kind[],
  { widget, isInstance }: Site,
): string {
  const groups = kinds.map(({ kind, pages }) => {
    const items = pages.map((page) => {
      const current = page.name === name ? ' aria-current="page"' : ''
      return `<li><a href="${page.name}.html"${current}>${escapeHtml(page.title)}</a></li>`
    })
    return `<h2>${escapeHtml(kind)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title === 'Documents' ? 'Docent' : `${title} · Docent`)}</title>
<link rel="stylesheet" href="assets/site.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="index.html">☞ Docent</a>
${isInstance ? '<a href="/servers">Dashboard</a>\n' : ''}<div class="search" role="search"><input type="search" id="search" placeholder="Search" aria-label="Search the documents" autocomplete="off"><ol id="results" hidden></ol></div>
</header>
<div class="columns">
<nav aria-label="Documents"><details open><summary>Documents</summary>
${groups.join('\n')}
</details></nav>
<main id="content">
${html}${name === 'index' ? questionsNote(isInstance) : ''}</main>
</div>
<script src="assets/minisearch.js" defer></script>
<script src="assets/search.js" defer></script>
${widget ? `<script async src="${escapeHtml(widget.script)}" data-configuration="${escapeHtml(widget.configuration)}"></script>\n` : ''}</body>
</html>
`
}

/** The style sheet hides the paragraph that is not so. */
function questionsNote(isInstance: boolean): string {
  const how = isInstance
    ? 'give <a href="settings.html#service"><code>DOCENT_DOCS_WIDGET</code></a> the id of a widget configuration'
    : '<a href="contributing.html#documents">build it with the widget</a> of a server'
  return `<h2 id="questions">Questions</h2>
<p class="with-widget">The button in the corner answers questions from these pages, with citations.</p>
<p class="without-widget">This copy has a search, and nobody to ask. To ask these pages, run <code>docent servers docs</code> on a service of yours, and connect a client to it. To put the question box on this site, ${how}.</p>
`
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
