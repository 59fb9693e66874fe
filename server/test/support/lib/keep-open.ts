import { afterAll } from 'vitest'
import { createNetClient, type NetClientConfig } from '#net/client.ts'
import { parseNetworks } from '#net/judge-address.ts'

/** Keeps a resource open until the tests of the file have ended. The last one opened is closed first. */
export async function keepOpen<Resource extends AsyncDisposable>(
  opening: Resource | Promise<Resource>,
): Promise<Resource> {
  const resource = await opening
  afterAll(() => resource[Symbol.asyncDispose]())
  return resource
}

/** Closes resources one after another. Those that never opened are passed over. */
export async function disposeAll(...resources: (AsyncDisposable | undefined)[]): Promise<void> {
  for (const resource of resources) await resource?.[Symbol.asyncDispose]()
}

/** A client that may reach loopback addresses. */
export const createTestNet = (config: Partial<NetClientConfig> = {}) =>
  createNetClient({ allowNetworks: parseNetworks('127.0.0.0/8'), userAgent: 'DocentTest/1', ...config })
