import { isIP } from 'node:net'

/** The host of an address that a browser can open: loopback for the wildcard address, brackets around IPv6. */
export function openableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return '127.0.0.1'
  return isIP(host) === 6 ? `[${host}]` : host
}
