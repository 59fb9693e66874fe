import type { Output } from '@docent/sdk'
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/call.ts'

export type Detection = Output<'sources.detect'>

/** Pause in typing after which the address is looked at. */
const SETTLE_MS = 500

/** The kind of source at the address, a moment after the last change. */
export function useDetection(url: string) {
  const [state, setState] = useState<{ url: string; detection: Detection | null; error: Error | null }>(NOTHING)
  const address = url.trim()
  const isAddress = looksLikeAddress(address)
  useEffect(() => {
    if (!isAddress) return
    const ended = new AbortController()
    const timer = setTimeout(() => {
      call('sources.detect', { url: withScheme(address) }, { signal: ended.signal }).then(
        (detection) => setState({ url: address, detection, error: null }),
        (error: Error) => ended.signal.aborted || setState({ url: address, detection: null, error: told(error) }),
      )
    }, SETTLE_MS)
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
  }, [address, isAddress])
  const isCurrent = state.url === address && address !== ''
  return {
    detection: isCurrent ? state.detection : null,
    error: isCurrent ? state.error : null,
    isAddress,
    isLooking: isAddress && !isCurrent,
  }
}

/** A word alone is a name. With a scheme, a port or a dot, it is meant as an address. */
function looksLikeAddress(text: string): boolean {
  const address = withScheme(text)
  if (!URL.canParse(address)) return false
  const { hostname, protocol } = new URL(address)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && (/[^.]\.[^.]/.test(hostname) || hostname.startsWith('[') || /^https?:|:\d|^localhost\b/i.test(text))
}

const NOTHING = { url: '', detection: null, error: null }

const told = (error: Error): Error => {
  const { message } = error instanceof ApiError ? error.body : {}
  return typeof message === 'string' ? new Error(message) : error
}

/** An address as it is typed, often without its scheme. */
export const withScheme = (address: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`
