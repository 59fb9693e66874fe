import { connectConfigured } from '../connect-configured.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { writeTable } from '../write-table.ts'

const HEAD = ['server', 'status', 'sources', 'visibility', 'endpoint']

/** `docent servers list`: lists the account's servers as a table, or as the API returns them. */
export async function listServers(terminal: Terminal, { asJson }: { asJson: boolean }): Promise<number> {
  const servers = await connectConfigured().listServers()
  if (asJson) {
    terminal.out(`${JSON.stringify(servers, null, 2)}\n`)
    return EXIT.ok
  }
  if (servers.length === 0) {
    terminal.err('The account has no servers yet.\n')
    return EXIT.ok
  }
  const rows = servers.map(({ slug, status, sourceCount, visibility, url }) => {
    return [slug, status, String(sourceCount), visibility, url]
  })
  writeTable(terminal, [HEAD, ...rows])
  return EXIT.ok
}
