import { expect, test } from 'vitest'
import { onBothEngines } from './engines.ts'
import { startDocent } from './harness.ts'
import { page, startSite } from './site.ts'

onBothEngines('segments of another format', (engine) => {
  test('are built anew by a refresh of which nothing else is new, from the texts that are kept', async () => {
    await using site = await startSite({
      '/': page('Start', 'This page tells all that there is to know about starting.', ['/apples']),
      '/apples': page('Apples', 'This page tells all that there is to know about apples.'),
    })
    await using docent = await startDocent({ engine })
    const { body } = await docent.request('POST', '/api/mcp/create', {
      name: 'Site',
      sources: [{ url: `${site.url}/`, type: 'docs' }],
    })
    const { sources } = await docent.untilDone(body.slug)
    const listSegments = () =>
      docent.inStore(({ read }) =>
        read
          .selectFrom('segments')
          .innerJoin('segmentParts', 'segmentParts.segmentId', 'segments.id')
          .select(['segments.id', 'segmentParts.data'])
          .execute(),
      )
    const [before] = await listSegments()
    const older = Uint8Array.from(before?.data ?? [])
    // The format's number, at byte 4.
    older[4] = 1
    await docent.inStore(({ write }) => write.updateTable('segmentParts').set({ data: older }).execute())

    await docent.request('POST', '/api/mcp/crawl', { serverId: body.slug, sourceId: sources[0].id })
    expect((await docent.untilDone(body.slug)).sources[0]).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 2 })
    const [after, ...others] = await listSegments()
    expect(others).toEqual([])
    expect(after?.id).not.toBe(before?.id)
    expect(Buffer.from(after?.data ?? []).equals(Buffer.from(before?.data ?? []))).toBe(true)
    const { result } = await docent.callTool(body.slug, 'search_docs', { query: 'apples' })
    expect(result.structuredContent.results[0]).toMatchObject({ url: `${site.url}/apples` })
  })
})
