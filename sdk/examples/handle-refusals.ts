/** Adds a source to a server, and handles each refusal: `handle-refusals.ts SERVER URL`. */
import { createDocentClient } from '@docent/sdk'
import { DocentApiError } from '@docent/sdk/error'

const { DOCENT_URL = 'http://127.0.0.1:8787', DOCENT_API_KEY = '' } = process.env
// No wait may be longer than ten seconds. Refusals that ask for more are thrown.
const docent = createDocentClient({ baseUrl: DOCENT_URL, apiKey: DOCENT_API_KEY, maxWaitMs: 10_000 })

const [, , id = '', url = ''] = process.argv
try {
  const source = await docent.sources.add({ id, url })
  console.log(`Added ${source.id}.`)
} catch (error) {
  if (!(error instanceof DocentApiError)) throw error
  switch (error.code) {
    case 'source_exists':
      console.log('The server has this source already.')
      break
    case 'source_limit_reached':
    // The server has used the sources that were bought for it as well.
    case 'source_credit_required':
      console.log(`The plan includes no more sources. One more: ${String(error.body['purchaseUrl'])}`)
      break
    default:
      console.log(`${error.status}: ${error.message}`)
  }
}
