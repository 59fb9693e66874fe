// The pages of a folder of Markdown files as HTML: `node make-site.mjs FOLDER`
// prints a JSON object with the page of each path.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked } from 'marked'

const folder = process.argv[2] ?? '.'
const paths = globSync('**/*.md', { cwd: folder }).toSorted()
const link = (/** @type {string} */ path) => `<li><a href="/${htmlOf(path)}">${path}</a></li>`
// On each page of a site with hundreds of pages, links to all of them would be most of it.
const links = paths
  .filter((path) => !path.startsWith('generated'))
  .map(link)
  .join('')
const pages = paths.map((path) => {
  const text = readFileSync(join(folder, path), 'utf8')
  const title = /^#\s+(.+)$/m.exec(text)?.[1] ?? path
  const body = marked.parse(text).replaceAll(/href="([^"#:]+)\.md/g, 'href="$1.html')
  return [
    `/${htmlOf(path)}`,
    `<!doctype html><html lang="en"><head><title>${title}</title></head><body><nav><ul>${links}</ul></nav><main><article>${body}</article></main></body></html>`,
  ]
})
const start = `<!doctype html><html lang="en"><head><title>All pages</title></head><body><main><ul>${paths.map(link).join('')}</ul></main></body></html>`
process.stdout.write(JSON.stringify({ '/': start, ...Object.fromEntries(pages) }))

/** @param {string} path */
function htmlOf(path) {
  return path.replace(/md$/, 'html')
}
