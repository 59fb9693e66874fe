import { ACCOUNT_ENDPOINT_PATH } from '@docent/contract/account-tool'
import { passMessages } from '../bridge/pass-messages.ts'
import { catchStop } from '../catch-stop.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { fetchAsDocent } from '../open-client.ts'
import { selectInstance } from '../profiles/select-instance.ts'
import type { Terminal } from '../terminal.ts'

type Wanted = { url: string; token?: string; profile?: string }

/** `docent bridge`: connects a client that speaks MCP over standard input and output to an endpoint over HTTP. */
export async function bridge(terminal: Terminal, wanted: Wanted): Promise<number> {
  const credential = credentialFor(terminal, wanted)
  using stop = catchStop(terminal)
  const report = (text: string) => terminal.err(`${text}\n`)
  const streams = { input: terminal.stdin, write: terminal.out, report }
  await passMessages({ url: wanted.url, credential, fetch: fetchAsDocent, ...streams }, stop.signal)
  return stop.signal.aborted ? EXIT.interrupted : EXIT.ok
}

/** A stored API key goes to the account-level endpoint of its own service only. Other endpoints take access tokens. */
function credentialFor(terminal: Terminal, { url, token, profile }: Wanted): string | null {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CommandError(`"${url}" is not the address of an endpoint. “docent servers list” shows yours.`, EXIT.usage)
  }
  const instance = selectInstance(terminal, profile)
  if (url.replace(/\/$/, '') === instance.url + ACCOUNT_ENDPOINT_PATH) return token ?? instance.apiKey
  return token ?? instance.accessToken
}
