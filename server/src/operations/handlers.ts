import type { OperationId } from '@docent/contract/operations'
import type { Handler } from './operation.ts'
import { crawlOneServer, crawlServer } from './servers/crawl.ts'
import { createServer } from './servers/create.ts'
import { deleteServer } from './servers/delete.ts'
import { getServer } from './servers/get.ts'
import { listServers } from './servers/list.ts'
import { getProgress } from './servers/progress.ts'

/** One handler for each operation of the contract; the type refuses a missing one. */
export const handlers: { [Id in OperationId]: Handler<Id> } = {
  'servers.create': createServer,
  'servers.list': listServers,
  'servers.crawl': crawlServer,
  'servers.get': getServer,
  'servers.delete': deleteServer,
  'servers.crawlOne': crawlOneServer,
  'servers.progress': getProgress,
}
