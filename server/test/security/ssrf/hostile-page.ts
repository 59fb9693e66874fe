/** Ways for a page to reach a private address, each on its own port to identify it. */
export const WAYS = [
  'fetch',
  'decimal',
  'localhost',
  'ipv6',
  'redirect',
  'rebinding',
  'script',
  'module',
  'style',
  'import',
  'image',
  'media',
  'font',
  'frame',
  'object',
  'websocket',
  'events',
  'beacon',
  'ping',
  'form',
  'popup',
  'prefetch',
  'preconnect',
  'speculation',
  'manifest',
  'worker',
  'blobworker',
  'sharedworker',
  'serviceworker',
  'webtransport',
  'stun',
  'turn',
  'report',
  'navigate',
] as const

export type Way = (typeof WAYS)[number]

const FIRST_PORT = 21_000
const ADDRESS = '10.0.0.1'

export const portOf = (way: Way): number => FIRST_PORT + WAYS.indexOf(way)
const at = (way: Way, host = ADDRESS, scheme = 'http') => `${scheme}://${host}:${portOf(way)}/`
/** Redirects to a private address. */
export const REDIRECTING = `http://public.test/r?c=302&to=${encodeURIComponent(at('redirect'))}`
/** DNS rebinding: public at the first look-up, private afterwards. */
export const REBINDING = `http://rb1-10-0-0-1.test:${portOf('rebinding')}/`

/** A page that tries all ways, and shows text for the reader. */
export const HOSTILE_PAGE = `<!doctype html><html><head><title>Hostile</title>
<link rel="stylesheet" href="${at('style')}"><link rel="prefetch" href="${at('prefetch')}">
<link rel="preconnect" href="${at('preconnect')}"><link rel="dns-prefetch" href="//asked-by-prefetch.test">
<link rel="manifest" href="${at('manifest')}">
<style>@import "${at('import')}"; @font-face { font-family: x; src: url("${at('font')}") } body { font-family: x }</style>
<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${at('speculation')}"],"eagerness":"immediate"}],
"prerender":[{"source":"list","urls":["${at('speculation')}"],"eagerness":"immediate"}]}</script>
</head><body><main id="root"></main><a id="ping" href="#x" ping="${at('ping')}">x</a>
<img src="${at('image')}"><video src="${at('media')}" autoplay muted></video>
<iframe src="${at('frame')}"></iframe><object data="${at('object')}"></object>
<form id="form" method="post" target="elsewhere" action="${at('form')}"></form>
<script src="${at('script')}"></script><script type="module" src="${at('module')}"></script>
<script>
const tries = [
  () => fetch("${at('fetch')}", { mode: 'no-cors' }),
  () => fetch("${at('decimal', '167772161')}", { mode: 'no-cors' }),
  () => fetch("${at('localhost', 'localhost')}", { mode: 'no-cors' }),
  () => fetch("${at('ipv6', '[fd00::1]')}", { mode: 'no-cors' }),
  () => fetch("/redirecting"),
  async () => { for (let i = 0; i < 5; i++) await fetch("/rebinding?" + i).catch(() => {}) },
  () => new WebSocket("${at('websocket', ADDRESS, 'ws')}"),
  () => new EventSource("${at('events')}"),
  () => navigator.sendBeacon("${at('beacon')}", 'x'),
  () => document.getElementById('ping').click(),
  () => document.getElementById('form').submit(),
  () => window.open("${at('popup')}"),
  () => new Worker(URL.createObjectURL(new Blob(['importScripts("${at('worker')}")']))),
  () => new Worker(URL.createObjectURL(new Blob(['new WebSocket("${at('blobworker', ADDRESS, 'ws')}")']))),
  () => new SharedWorker(URL.createObjectURL(new Blob(['fetch("${at('sharedworker')}", { mode: "no-cors" })']))),
  () => navigator.serviceWorker.register("/sw.js"),
  () => new WebTransport("${at('webtransport', ADDRESS, 'https')}"),
  async () => {
    const peer = new RTCPeerConnection({ iceServers: [
      { urls: "stun:${ADDRESS}:${portOf('stun')}" },
      { urls: "turn:${ADDRESS}:${portOf('turn')}?transport=tcp", username: 'a', credential: 'b' },
    ] })
    peer.createDataChannel('x')
    await peer.setLocalDescription(await peer.createOffer())
  },
]
for (const attempt of tries) { try { Promise.resolve(attempt()).catch(() => {}) } catch {} }
const rest = setInterval(() => {}, 50)
setTimeout(() => { document.getElementById('root').textContent = 'All has been tried.' }, 1000)
setTimeout(() => { location.href = "${at('navigate')}" }, 900)
</script></body></html>`

export const HOSTILE_SERVICE_WORKER = `fetch("${at('serviceworker')}", { mode: "no-cors" })`
export const HOSTILE_HEADERS: Record<string, string> = {
  'content-type': 'text/html',
  'content-security-policy-report-only': `default-src 'none'; report-uri ${at('report')}`,
  link: `<${at('preconnect')}>; rel=preconnect`,
}
