const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Code and links of a line. */
const inline = (text: string) =>
  escape(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, '<a href="$2">$1</a>')

const idOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

type Rule = [begins: RegExp, render: (lines: string[]) => string]

const list = (tag: string) => (lines: string[]) =>
  `<${tag}>${lines.map((line) => `<li>${inline(line.replace(/^(?:-|\d+\.) /, ''))}</li>`).join('')}</${tag}>`

/** Blocks by their first characters. A block is a run of lines without a blank one. */
const RULES: Rule[] = [
  [
    /^#/,
    ([line = '']) => {
      const [, marks = '', text = ''] = /^(#+) (.*)$/.exec(line) ?? []
      return `<h${marks.length} id="${idOf(text)}">${inline(text)}</h${marks.length}>`
    },
  ],
  [/^- /, list('ul')],
  [/^1\. /, list('ol')],
  [
    /^\|/,
    (lines) => {
      const row = (line: string, cell: string) =>
        `<tr>${line
          .slice(2, -2)
          .split(' | ')
          .map((each) => `<${cell}>${inline(each.trim())}</${cell}>`)
          .join('')}</tr>`
      const [head = '', ...rows] = lines
      return `<table><thead>${row(head, 'th')}</thead><tbody>${rows.map((line) => row(line, 'td')).join('')}</tbody></table>`
    },
  ],
  [
    /^.+\n: /,
    (lines) =>
      `<dl>${lines.map((line) => (line.startsWith(': ') ? `<dd>${inline(line.slice(2))}</dd>` : `<dt>${inline(line)}</dt>`)).join('')}</dl>`,
  ],
  [/^/, (lines) => `<p>${inline(lines.join(' '))}</p>`],
]

/** A page of a documentation site from a subset of Markdown: headings, lists, tables, definitions, fences. */
export function renderPage(
  markdown: string,
  { links = [], lang = 'en' }: { links?: string[]; lang?: string } = {},
): string {
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? ''
  const parts = markdown.trim().split(/^```/m)
  const body = parts.map((part, at) => (at % 2 === 1 ? code(part) : blocks(part))).join('\n')
  const nav = links.map((href) => `<a href="${href}">${href}</a>`).join('\n')
  return `<!doctype html><html lang="${lang}"><head><title>${escape(title)}</title></head><body><nav>${nav}</nav><main>${body}</main></body></html>`
}

function blocks(text: string): string {
  return text
    .trim()
    .split(/\n\s*\n/)
    .filter(Boolean)
    .map((block) => RULES.find(([begins]) => begins.test(block))?.[1](block.split('\n')) ?? '')
    .join('\n')
}

function code(part: string): string {
  const at = part.indexOf('\n')
  const language = part.slice(0, at).trim()
  return `<pre><code class="language-${language}">${escape(part.slice(at + 1).trimEnd())}</code></pre>`
}
