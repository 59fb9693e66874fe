import { parentPort } from 'node:worker_threads'
import { startTrapSite } from '../../../server/test/support/sites/trap-site.ts'

const { url, traps } = await startTrapSite()
parentPort?.postMessage({ url, traps })
