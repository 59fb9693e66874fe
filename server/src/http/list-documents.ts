const LINK = /\[([^[\]]{1,200})\]\(([^()\s]{1,300})\)/g

/**
 * The list of documents (`docs/README.md`) as an llms.txt (https://llmstxt.org/): a section for each kind of document, and
 * a line for each link. `addressOf` gives the address of a path in the list, or null to leave it out.
 */
export function llmsTxtOf(list: string, addressOf: (path: string) => string | null): string {
  const lines = list.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) return ['', line, '']
    const task = line.startsWith('|') ? (line.split('|')[1] ?? '').trim() : ''
    return [...line.matchAll(LINK)].flatMap(([, title = '', path = '']) => {
      const address = addressOf(path)
      return address === null ? [] : [`- [${title}](${address}): ${task}`]
    })
  })
  return ['# Docent', '', '> Docent turns documentation into live MCP servers.', ...lines, ''].join('\n')
}
