import { isIPv4, isIPv6 } from 'node:net'

/** Hint to allow an address that was refused as private; empty for other refusals. */
export function networkHint(refusal: string, urls: readonly string[]): string {
  if (!refusal.includes('private or internal network')) return ''
  const networks = new Set(urls.map(networkOf))
  return `\nTo index them all the same, name their network: DOCENT_ALLOW_NETWORKS=${[...networks].join(',')}`
}

/** The network to allow for an address: loopback, the address alone, or an example to replace. */
function networkOf(url: string): string {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  if (host === 'localhost' || host.startsWith('127.')) return '127.0.0.0/8'
  if (isIPv4(host)) return `${host}/32`
  return isIPv6(host) ? `${host}/128` : '10.0.0.0/8'
}
