/** Makes a server from a site, waits until it is indexed, and prints its endpoint: `create-server.ts URL`. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createDocentClient } from '@docent/sdk'

const { DOCENT_URL = 'http://127.0.0.1:8787', DOCENT_API_KEY = '' } = process.env
const docent = createDocentClient({ baseUrl: DOCENT_URL, apiKey: DOCENT_API_KEY })

const { serverId, url } = await docent.servers.create({ name: 'My docs', sources: [{ url: process.argv[2] ?? '' }] })
for (;;) {
  const { status, percent, etaSeconds } = await docent.servers.progress({ id: serverId })
  if (status !== 'crawling') break
  console.error(`${percent}%`)
  await sleep(Math.min(2, etaSeconds ?? 1) * 1_000)
}
const { sources } = await docent.servers.get({ id: serverId })
for (const { crawlError, pagesIndexed } of sources) console.error(crawlError ?? `${pagesIndexed} pages are indexed.`)
console.log(url)
