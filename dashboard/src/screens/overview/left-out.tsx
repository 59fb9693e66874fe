import { count, number, shortAddress } from '../../lib/format.ts'
import { REASONS } from '../../lib/words.ts'
import { Allowed } from '../../ui/allowed.tsx'
import { Listing } from '../../ui/listing.tsx'
import { Section } from '../../ui/section.tsx'
import type { Server } from '../../ui/server-page.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'

type Row = Server['sources'][number]['skipped'][number] & { source: Server['sources'][number] }

const PLAN = {
  prefix: 'left-out',
  textOf: ({ reason, example, source }: Row) =>
    `${REASONS[reason]?.word ?? reason} ${example ?? ''} ${source.label ?? ''} ${source.url}`,
  orders: [{ name: 'pages', title: 'Most pages first', compare: (a: Row, b: Row) => b.pages - a.pages }],
}

/** The pages that were not indexed: why, and what to do. */
export function LeftOut({ server, query }: { server: Server; query: URLSearchParams }) {
  const rows = server.sources.flatMap((source) => source.skipped.map((skipped) => ({ ...skipped, source })))
  if (rows.length === 0) return null
  const total = rows.reduce((sum, { pages }) => sum + pages, 0)
  return (
    <Section title="Left out" about={`${count(total, 'page')}, in words.`}>
      <Listing items={rows} one="reason" plan={PLAN} sizes={[20, 10]} query={query}>
        {(shown) => (
          <Table class="why" columns={['Why', 'Which', { right: 'What you can do' }]}>
            {shown.map(({ reason, pages, example, source }) => (
              <tr key={`${source.id} ${reason}`}>
                <td>
                  <Status tone={REASONS[reason]?.tone ?? 'mute'}>
                    {number(pages)} {REASONS[reason]?.word ?? reason.replaceAll('_', ' ')}
                  </Status>
                </td>
                <td>
                  {example ?? ''} <span class="mute">{server.sources.length > 1 && shortAddress(source.url)}</span>
                </td>
                <td class="r">
                  <a href={`/servers/${server.slug}/pages?${new URLSearchParams({ reason, source: source.id })}`}>
                    See the list
                  </a>
                  {(REASONS[reason]?.byPattern ?? false) && (
                    <Allowed to="sources.update">
                      {' · '}
                      <a href={`/servers/${server.slug}/settings#sources`}>Change the patterns</a>
                    </Allowed>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </Section>
  )
}
