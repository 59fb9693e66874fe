// The program of a bundle for desktop clients, with its own build: `node bridge.mjs URL`, and the access token of a
// private server in DOCENT_ACCESS_TOKEN.
import { passMessages } from './pass-messages.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
// The client has gone.
process.stdout.on('error', () => stop.abort())
await passMessages(
  {
    url: process.argv[2] ?? '',
    // eslint-disable-next-line node/no-process-env -- the client passes the token here
    credential: process.env['DOCENT_ACCESS_TOKEN'] || null,
    input: process.stdin,
    fetch,
    write: (text) => void process.stdout.write(text),
    report: (text) => void process.stderr.write(`${text}\n`),
  },
  stop.signal,
)
