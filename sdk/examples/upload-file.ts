/** Sends a file as a source of a server, and exports its pages: `upload-file.ts SERVER FILE`. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { createDocentClient } from '@docent/sdk'

const { DOCENT_URL = 'http://127.0.0.1:8787', DOCENT_API_KEY = '' } = process.env
const docent = createDocentClient({ baseUrl: DOCENT_URL, apiKey: DOCENT_API_KEY })

const [, , id = '', path = ''] = process.argv
const file = new Uint8Array(await readFile(path))
const source = await docent.sources.upload({ id, name: 'manual', file: basename(path) }, { file })
console.log(`The source ${source.id} is ${source.url}.`)

// Lists of any length arrive as a stream.
for await (const page of await docent.pages.export({ id })) console.log(page.url)
